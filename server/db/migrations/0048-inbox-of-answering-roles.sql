-- Roles with any permission for messages or comments can open the inbox (contract/permissions.ts, `viewFollows`): those
-- stored before that rule, too.
update role set permissions = permissions || '{"inbox": ["view"]}'
where (permissions -> 'dm' <> '[]' or permissions -> 'comment' <> '[]') and not coalesce(permissions -> 'inbox' ? 'view', false);
