-- Who approves posts can view them (contract/permissions.ts, `viewFollows`): in roles stored before that rule, too.
update role set permissions = permissions || jsonb_build_object('post', '["view"]'::jsonb || coalesce(permissions -> 'post', '[]'))
where permissions -> 'workflow' ? 'approve' and not coalesce(permissions -> 'post' ? 'view', false);
