-- {key}, {serial} and {hashed} stand for what differs between SQLite and PostgreSQL.
ALTER TABLE posts ADD COLUMN gone_at {key};
ALTER TABLE posts ADD COLUMN gone_status INTEGER;
ALTER TABLE posts ADD COLUMN moved_to {key};
DROP INDEX posts_by_url;
DROP INDEX posts_by_canonical_url;
DROP INDEX captures_of_url;
CREATE INDEX posts_by_url ON posts {hashed} (url);
CREATE INDEX posts_by_canonical_url ON posts {hashed} (canonical_url);
CREATE INDEX captures_of_url ON captures {hashed} (url);
CREATE TABLE post_media (
    post_id {key} NOT NULL, position INTEGER NOT NULL,
    url TEXT NOT NULL, digest {key}, PRIMARY KEY (post_id, position),
    FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE);
CREATE INDEX post_media_by_digest ON post_media (digest);
CREATE TABLE revisions (
    post_id {key} NOT NULL, revision INTEGER NOT NULL,
    seen_at {key} NOT NULL, document TEXT NOT NULL, PRIMARY KEY (post_id, revision),
    FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE);
CREATE TABLE events (
    post_id {key} NOT NULL, at {key} NOT NULL, kind {key} NOT NULL,
    detail TEXT NOT NULL, PRIMARY KEY (post_id, at, kind),
    FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE);
CREATE TABLE forgotten (
    kind {key} NOT NULL, name {key} NOT NULL, at {key} NOT NULL, reason TEXT NOT NULL, removed TEXT NOT NULL,
    PRIMARY KEY (kind, name));
CREATE TABLE search_entries (
    id {serial}, post_id {key} NOT NULL, position INTEGER NOT NULL,
    blog_id {key}, language {key}, published {key} NOT NULL, authors TEXT NOT NULL, tags TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE);
CREATE INDEX search_entries_of_post ON search_entries (post_id);
