import type { Client } from 'pg'

/** A table as a dump sees it: generated columns are left out, partitions are reached through their parent. */
export type DumpedTable = { name: string; columns: string[] }

/** A partition, to be created before rows are loaded so that none end up in the default one. */
export type Partition = { name: string; parent: string; bound: string }

/**
 * Worthless elsewhere: live events contain this cluster's transaction ids, and nodes are its processes. What triggers
 * maintain (words, counts) moves along, because a dump is loaded before there are triggers.
 */
const LEFT_BEHIND = ['public.event', 'public.node']

/** The tables with our data, parents of foreign keys first. Includes graphile-worker's: waiting jobs move along. */
export async function tablesInOrder(client: Client): Promise<DumpedTable[]> {
  const { rows } = await client.query<DumpedTable & { parents: string[] }>(TABLES, [LEFT_BEHIND])
  const tables = new Map(rows.map((row) => [row.name, row]))
  const done = new Set<string>()
  const order: DumpedTable[] = []
  const visit = (name: string, trail: string[]): void => {
    const table = tables.get(name)
    if (!table || done.has(name)) return
    if (trail.includes(name)) throw new Error(`Foreign keys run in a circle: ${[...trail, name].join(', ')}`)
    for (const parent of table.parents) if (parent !== name) visit(parent, [...trail, name])
    done.add(name)
    order.push({ name, columns: table.columns })
  }
  for (const name of tables.keys()) visit(name, [])
  return order
}

const TABLES = `
  select c.oid::regclass::text as name,
    array(
      select quote_ident(a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
    ) as columns,
    array(select distinct f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as parents
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname || '.' || c.relname <> all ($1) and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
  order by n.nspname desc, c.relname`

/** All partitions of the tables that are dumped. */
export async function partitions(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select c.oid::regclass::text as name, i.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     join pg_namespace n on n.oid = p.relnamespace
     where c.relispartition and c.relkind in ('r', 'p') and n.nspname || '.' || p.relname <> all ($1) order by 1`,
    [LEFT_BEHIND],
  )
  return rows
}

/** Moves every identity and serial of a table past the loaded values. */
export async function advanceSequences(client: Client): Promise<void> {
  const { rows } = await client.query<{ move: string }>(`
    select format('select setval(%L, coalesce(max(%I), 0) + 1, false) from %s', s.sequence, s.attname, s.name) as move
    from (
      select c.oid::regclass::text as name, a.attname, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped
    ) s where s.sequence is not null`)
  for (const { move } of rows) await client.query(move)
}
