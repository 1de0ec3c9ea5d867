-- Internal notes get rights of their own (contract/permissions.ts, note). Roles that see posts read notes today, and roles
-- that work on posts write them: both keep what they could do.
update role set permissions = jsonb_set(permissions, '{note}',
  case when kind = 'admin' or permissions -> 'post' ?| array['create', 'edit', 'delete', 'publish', 'needs_approval'] then '["view", "create"]'::jsonb else '["view"]'::jsonb end)
where permissions -> 'post' ? 'view';

-- Direct messages have four actions (decisions, Inbox): roles that held more lose the rest.
update role set permissions = jsonb_set(permissions, '{dm}', (permissions -> 'dm') - 'publish' - 'needs_approval')
where permissions -> 'dm' ?| array['publish', 'needs_approval'];
