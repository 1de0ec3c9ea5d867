import type { Catalog, Column, Table } from './catalog.ts'

const HEADER = `import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables as migrations/*.sql make them: written by \`node bin/schema.js\` from a migrated database. */

/** Read as parsed JSON, written as its text: \`JSON.stringify\` it at the call. */
type Json = ColumnType<unknown, string, string>
type GeneratedJson = ColumnType<unknown, string | undefined, string>
`

/** How columns.ts reads each type; a type that is missing here has to be decided there first. */
const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  xid8: 'string',
  tsvector: 'string',
  date: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
}

/** schema.ts: the tables with their columns, as Kysely wants them. */
export function typesText({ tables }: Catalog): string {
  const texts = tables.filter(({ partition }) => !partition).map(tableType)
  return `${HEADER}\nexport type Database = {\n${texts.join('')}}\n`
}

const tableType = ({ name, columns }: Table): string =>
  `  ${name}: {\n${columns.map((column) => `    ${column.name}: ${columnType(name, column)}\n`).join('')}  }\n`

function columnType(table: string, { name, type, notNull, default: value, always }: Column): string {
  const orNull = notNull ? '' : ' | null'
  if (type === 'jsonb') return `${value === null ? 'Json' : 'GeneratedJson'}${orNull}`
  const [, element = '', array = ''] = /^(.*?)(\[\])?$/.exec(type) ?? []
  const read = TYPES[element]
  if (!read)
    throw new Error(`${table}.${name} has the type ${type}: say in server/testing/schema how columns.ts reads it`)
  const plain = `${read}${array}${orNull}`
  if (always) return `GeneratedAlways<${plain}>`
  return value === null ? plain : `Generated<${plain}>`
}
