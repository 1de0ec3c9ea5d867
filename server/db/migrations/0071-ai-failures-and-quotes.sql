-- Why the model wrote no drafts, as a code. What a platform answered instead of posts stays in `problem`.
alter table ai_run add column why text;
-- What somebody said, such as the reason of a rejection: shown as a quote of its own, in the app and in mails.
alter table notice add column quote text;
