// Eleventy: run `npx @11ty/eleventy --config=eleventy.config.cjs` in this folder.
const SITE = { title: "@TITLE@", lang: "@LANGUAGE@" };
const POSTS = ["_posts/**/*.md", "_undated/**/*.md"];

module.exports = (config) => {
  config.addGlobalData("site", SITE);
  config.addGlobalData("layout", "post.njk");
  config.addGlobalData("eleventyComputed", {
    original_date: (data) => (/\/_posts\//.test(data.page.inputPath) ? data.page.date.toISOString().slice(0, 10) : ""),
    // A path without an extension is that of a folder.
    permalink: (data) =>
      typeof data.permalink === "string" && !/\/$|\.\w+$/.test(data.permalink) ? `${data.permalink}/` : data.permalink,
  });
  config.addCollection("archived", (found) => found.getFilteredByGlob(POSTS).reverse());
  config.setUseGitIgnore(false);
  for (const other of ["layouts", "_layouts", "index.html", "tags.html", "search/**", "public", "output"]) {
    config.ignores.add(other);
  }
  for (const folder of ["media", "search"]) config.addPassthroughCopy(folder);
  return { markdownTemplateEngine: false, dir: { input: ".", includes: "_includes", output: "_site" } };
};
