-- Servers of version 2 have created this index.
DROP INDEX IF EXISTS posts_by_stamp;
ALTER TABLE posts ADD COLUMN stamp {key} NOT NULL DEFAULT '';
UPDATE posts SET stamp = (SELECT max(news.at) FROM (
    SELECT posts.seen_at AS at UNION ALL SELECT posts.gone_at UNION ALL
    SELECT events.at FROM events WHERE events.post_id = posts.id) news);
CREATE INDEX posts_by_stamp ON posts (stamp, id);
