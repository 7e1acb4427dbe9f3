import json, importlib.util, sys
spec=importlib.util.spec_from_file_location("tm","/work/main/tests/integration/harvest/test_media.py"); tm=importlib.util.module_from_spec(spec); spec.loader.exec_module(tm)
blog=tm.blog
def test_x(blog, posterity, tmp_path):
    r=tm.harvest(posterity, blog, tmp_path/"a")
    print(blog.paths.count("/huge.pdf"), blog.paths.count("/tides.pdf"), r["missing_media"][:6], r["missing"])
    with tm.open_archive(tmp_path/"a") as st:
        p=next(iter(st.posts())); print(p.links, [m.url for m in p.media])
    assert 0
