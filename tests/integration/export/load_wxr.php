<?php
/* Loads WXR files into a WordPress by WordPress's own functions, in the steps of its importer plugin, and prints what
   WordPress then has, as JSON. usage: php load_wxr.php DOCROOT URL FILE...
   As the plugin does: a user who is there already is taken, a term is looked up by its short name, a post of the same
   title and date is the same post, comments pass the filters of comments and come in the order of their numbers. */
$files = array_slice($argv, 3);
[$_, $root, $url] = $argv;
$place = parse_url($url);
$_SERVER['HTTP_HOST'] = $place['host'] . ':' . $place['port'];
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require "$root/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/taxonomy.php';
require_once ABSPATH . 'wp-admin/includes/post.php';
require_once ABSPATH . 'wp-admin/includes/user.php';

/* What an earlier test left. */
$everything = ['post_type' => ['post', 'attachment'], 'post_status' => 'any', 'numberposts' => -1, 'fields' => 'ids'];
foreach (get_posts($everything) as $id) wp_delete_post($id, true);
foreach (get_users(['exclude' => [1], 'fields' => 'ID']) as $id) wp_delete_user($id, 1);
foreach (get_terms(['taxonomy' => ['category', 'post_tag'], 'hide_empty' => false]) as $term)
    wp_delete_term($term->term_id, $term->taxonomy);

foreach ($files as $file) {
wp_suspend_cache_invalidation(true);
$xml = simplexml_load_file($file);
if (!$xml || (string) $xml->xpath('/rss/channel/wp:wxr_version')[0] !== '1.2') {
    fwrite(STDERR, "no WXR 1.2\n");
    exit(1);
}
$ns = $xml->getDocNamespaces();
$users = $posts = $waiting = [];
foreach ($xml->xpath('/rss/channel/wp:author') as $element) {
    $author = $element->children($ns['wp']);
    $login = sanitize_user((string) $author->author_login, true);
    $there = get_user_by('login', $login);
    $id = $there ? $there->ID : wp_insert_user(['user_login' => $login, 'user_pass' => wp_generate_password(),
        'display_name' => (string) $author->author_display_name, 'role' => 'author']);
    if (is_wp_error($id)) { fwrite(STDERR, $id->get_error_message() . "\n"); exit(1); }
    $users[(string) $author->author_login] = $id;
}
foreach ($xml->xpath('/rss/channel/wp:category') as $element) {
    $term = $element->children($ns['wp']);
    if (!term_exists((string) $term->category_nicename, 'category'))
        wp_insert_term(wp_slash((string) $term->cat_name), 'category', ['slug' => (string) $term->category_nicename]);
}
foreach ($xml->xpath('/rss/channel/wp:tag') as $element) {
    $term = $element->children($ns['wp']);
    if (!term_exists((string) $term->tag_slug, 'post_tag'))
        wp_insert_term(wp_slash((string) $term->tag_name), 'post_tag', ['slug' => (string) $term->tag_slug]);
}
foreach ($xml->channel->item as $item) {
    $wp = $item->children($ns['wp']);
    $creator = (string) $item->children($ns['dc'])->creator;
    $post = ['import_id' => (int) $wp->post_id, 'post_title' => (string) $item->title, 'post_author' => $users[$creator] ?? 1,
        'post_content' => (string) $item->children($ns['content'])->encoded,
        'post_excerpt' => (string) $item->children($ns['excerpt'])->encoded, 'post_date' => (string) $wp->post_date,
        'post_date_gmt' => (string) $wp->post_date_gmt, 'post_name' => (string) $wp->post_name,
        'post_status' => (string) $wp->status, 'comment_status' => (string) $wp->comment_status,
        'post_type' => (string) $wp->post_type, 'guid' => (string) $item->guid,
        'post_parent' => $posts[(int) $wp->post_parent] ?? 0];
    $there = post_exists($post['post_title'], '', $post['post_date']);
    if ($there && get_post_type($there) === $post['post_type']) {
        fwrite(STDERR, "{$post['post_type']} {$post['post_title']} already exists\n");
        exit(1);
    }
    $id = wp_insert_post(wp_slash($post), true);
    if (is_wp_error($id)) { fwrite(STDERR, $id->get_error_message() . "\n"); exit(1); }
    $posts[(int) $wp->post_id] = $id;
    $terms = [];
    foreach ($item->category as $category) {
        $domain = (string) $category['domain'];
        $term = get_term_by('slug', (string) $category['nicename'], $domain);
        $terms[$domain][] = (int) $term->term_id;
    }
    foreach ($terms as $domain => $ids) wp_set_post_terms($id, $ids, $domain);
    foreach ($wp->postmeta as $meta) add_post_meta($id, wp_slash((string) $meta->meta_key), wp_slash((string) $meta->meta_value));
    $comments = [];
    foreach ($wp->comment as $comment) {
        $comments[(int) $comment->comment_id] = wp_insert_comment(wp_filter_comment(wp_slash(['comment_post_ID' => $id,
            'comment_author' => (string) $comment->comment_author, 'comment_author_url' => (string) $comment->comment_author_url,
            'comment_author_email' => '', 'comment_author_IP' => '', 'comment_agent' => '',
            'comment_date' => (string) $comment->comment_date, 'comment_date_gmt' => (string) $comment->comment_date_gmt,
            'comment_content' => (string) $comment->comment_content, 'comment_approved' => (string) $comment->comment_approved,
            'comment_type' => (string) $comment->comment_type,
            'comment_parent' => $comments[(int) $comment->comment_parent] ?? 0])));
    }
}
wp_suspend_cache_invalidation(false);
wp_cache_flush();
}

$found = [];
foreach (get_posts(['post_type' => 'post', 'numberposts' => -1, 'orderby' => 'date', 'order' => 'ASC']) as $post) {
    $comments = get_comments(['post_id' => $post->ID, 'order' => 'ASC', 'orderby' => 'comment_ID']);
    $by_id = [];
    foreach ($comments as $place => $comment) $by_id[$comment->comment_ID] = $place;
    $found[] = ['title' => $post->post_title, 'date' => $post->post_date_gmt, 'content' => $post->post_content,
        'author' => get_the_author_meta('display_name', $post->post_author),
        'tags' => wp_get_post_terms($post->ID, 'post_tag', ['fields' => 'names', 'orderby' => 'name']),
        'categories' => array_values(array_diff(wp_get_post_terms($post->ID, 'category', ['fields' => 'names']), ['Uncategorized'])),
        'attachments' => count(get_posts(['post_type' => 'attachment', 'post_parent' => $post->ID, 'numberposts' => -1])),
        'comments' => array_map(fn($comment) => [$comment->comment_author, $by_id[$comment->comment_parent] ?? null], $comments)];
}
echo json_encode($found, JSON_UNESCAPED_UNICODE);
