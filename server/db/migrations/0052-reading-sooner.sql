-- What makes readings of the inbox due sooner, found every minute without looking at every channel.
create index session_seen on session (last_seen_at);
create index post_published on post (published_at) where state = 'PUBLISHED';
