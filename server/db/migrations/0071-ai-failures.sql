-- Why the model wrote no drafts, as a code. What a platform answered instead of posts stays in `problem`.
alter table ai_run add column why text;
