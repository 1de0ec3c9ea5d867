import type { ClientBase } from 'pg'

/** The schema as PostgreSQL describes it; partitions that jobs create are left out. */
export type Catalog = { tables: Table[]; functions: DatabaseFunction[] }

export type Table = {
  name: string
  unlogged: boolean
  /** `partition by …` of a partitioned table. */
  partitioned: string | null
  /** `partition of …` of a partition. */
  partition: string | null
  columns: Column[]
  /** Names and definitions. */
  constraints: Definition[]
  indexes: Definition[]
  triggers: Definition[]
  /** Whether row-level security is on, also for its owner. */
  secured: boolean
  forced: boolean
  policies: (Definition & { roles: string[] })[]
  /** `select, insert on thing to rookery_app`, table grants first; without the owner's. */
  grants: { role: string; rights: string[]; columns: string[] | null }[]
}

export type Column = {
  name: string
  type: string
  notNull: boolean
  default: string | null
  /** Computed or numbered by the database, and never written. */
  always: boolean
}
export type Definition = { name: string; definition: string }
type DatabaseFunction = {
  signature: string
  result: string
  /** Runs with the rights of its owner. */
  definer: boolean
  /** Who may call it; null: everyone. */
  callers: string[] | null
}

/** Reads everything in the schema `public`, in an order that doesn't depend on when it was created. */
export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const { rows: tables } = await client.query<Table>(TABLES)
  const { rows: functions } = await client.query<DatabaseFunction>(FUNCTIONS)
  return { tables, functions }
}

const json = (select: string, order: string): string =>
  `coalesce((select json_agg(x order by ${order}) from (${select}) x), '[]')`

const TABLES = `
  select c.relname as name, c.relpersistence = 'u' as unlogged, pg_get_partkeydef(c.oid) as partitioned,
    (select i.inhparent::regclass::text || ' ' || pg_get_expr(c.relpartbound, c.oid) from pg_inherits i where i.inhrelid = c.oid) as partition,
    c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    ${json(
      `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
        case when a.attidentity <> '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end as default,
        a.attidentity = 'a' or a.attgenerated <> '' as always, a.attnum
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`,
      'x.attnum',
    )} as columns,
    ${json(
      `select k.conname as name, pg_get_constraintdef(k.oid) as definition, k.contype from pg_constraint k
      where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c') and k.conparentid = 0`,
      "strpos('pufc', x.contype), x.name",
    )} as constraints,
    ${json(
      `select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and not i.relispartition and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u'))`,
      'x.name',
    )} as indexes,
    ${json(
      `select t.tgname as name, pg_get_triggerdef(t.oid) as definition from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal`,
      'x.name',
    )} as triggers,
    ${json(
      `select p.polname as name, concat_ws(' ', case p.polcmd when 'r' then 'for select' when 'a' then 'for insert' when 'w' then 'for update' when 'd' then 'for delete' end,
          'using (' || pg_get_expr(p.polqual, p.polrelid) || ')', 'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as definition,
        array(select r.rolname from pg_roles r where r.oid = any(p.polroles) order by 1) as roles
      from pg_policy p where p.polrelid = c.oid`,
      'x.name',
    )} as policies,
    ${json(
      `select g.role, g.columns, array_agg(lower(g.right) order by array_position('{SELECT,INSERT,UPDATE,DELETE}', g.right)) as rights from (
        select a.grantee::regrole::text as role, a.privilege_type as right, null::text[] as columns from aclexplode(c.relacl) a where a.grantee <> c.relowner
        union all
        select a.grantee::regrole::text, a.privilege_type, array_agg(t.attname::text order by t.attnum) from pg_attribute t cross join lateral aclexplode(t.attacl) a
        where t.attrelid = c.oid group by 1, 2
      ) g group by 1, 2`,
      'x.role, x.columns nulls first',
    )} as grants
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (not c.relispartition or c.relname like '%\\_default')
  order by c.relname`

const FUNCTIONS = `
  select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as signature, pg_get_function_result(p.oid) as result, p.prosecdef as definer,
    case when has_function_privilege('public', p.oid, 'execute') then null
      else array(select a.grantee::regrole::text from aclexplode(p.proacl) a where a.grantee <> p.proowner order by 1) end as callers
  from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`
