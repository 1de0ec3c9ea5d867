-- Whoever adds users gives them a role: roles that could not see the roles see them now (contract/permissions.ts, viewFollows).
update role set permissions = jsonb_set(permissions, '{role}', '["view"]') where kind = 'custom' and permissions -> 'user' ? 'add' and not coalesce(permissions -> 'role' ? 'view', false);
