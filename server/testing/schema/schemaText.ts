import type { Catalog, Column, Definition, Table } from './catalog.ts'

const HEADER = `-- The whole schema as the migrations leave it, written by \`node bin/schema.js\`. Why things are as they are is said in
-- migrations/, what functions and triggers do in functions/. \`tenant_table\` and \`global_table\` secure a table and grant
-- its rights (migrations/0001-tenancy.sql).
`

/** The schema as readable SQL: tables by name, then functions. */
export function schemaText({ tables, functions }: Catalog): string {
  const described = functions.map(({ signature, result, definer, callers }) => {
    const who = callers ? callers.join(', ') || 'nobody' : 'everybody'
    const how = definer ? '; runs as its owner' : ''
    const text = `${signature} returns ${result}; called by ${who}${how}`.replaceAll(LONG_NAMES, short)
    const lines = text.match(/.{1,110}(?: |$)/g) ?? []
    return lines.map((line, nth) => `--   ${nth > 0 ? '  ' : ''}${line.trimEnd()}\n`).join('')
  })
  return [HEADER, ...tables.map(tableText), `-- Functions\n${described.join('')}`].join('\n')
}

function tableText(table: Table): string {
  const { name } = table
  const lines = [
    ...table.columns.map(columnText),
    ...table.constraints.map((constraint) => constraintText(name, constraint)),
  ]
  const by = table.partitioned ? ` partition by ${table.partitioned.toLowerCase()}` : ''
  const create = table.partition
    ? `create table ${name} partition of ${table.partition.toLowerCase()};\n`
    : `create ${table.unlogged ? 'unlogged ' : ''}table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${by};\n`
  return [
    create,
    ...table.indexes.map(({ definition }) => `${plain(definition)};\n`),
    ...(table.partition ? [] : securityText(table)),
    ...table.triggers.map(({ definition }) => `${plain(definition)};\n`),
  ].join('')
}

function columnText({ name, type, notNull, default: value, always }: Column): string {
  const given =
    value === 'identity'
      ? `generated ${always ? 'always' : 'by default'} as identity`
      : value && `default ${plain(value)}`
  return [name, type.replaceAll(LONG_NAMES, short), notNull && 'not null', given].filter(Boolean).join(' ')
}

function constraintText(table: string, { name, definition }: Definition): string {
  const text = plain(definition)
  // PostgreSQL names constraints table_columns_kind by default; only other names are written
  const own = /_(pkey|key|fkey|check\d*)$/.test(name) && name.startsWith(`${table}_`) ? '' : `constraint ${name} `
  return `${own}${text}`
}

/** The two policies of tenant_table(). */
const TENANT = "using ((org_id = (current_setting('app.org_id'::text))::uuid))"
const ALL = ['select', 'insert', 'update', 'delete']

function securityText(table: Table): string[] {
  const { name, policies, grants } = table
  const isAll = (grant?: Table['grants'][number]): boolean =>
    grant?.columns === null && grant.rights.join() === ALL.join()
  const app = grants.find(({ role, columns }) => role === 'rookery_app' && !columns)
  const system = grants.find(({ role, columns }) => role === 'rookery_system' && !columns)
  const [everything, tenant] = policies
  const isTenant =
    table.secured &&
    table.forced &&
    policies.length === 2 &&
    app &&
    isAll(system) &&
    tenant?.definition.startsWith(TENANT) &&
    everything?.roles.join() === 'rookery_owner,rookery_system'
  if (isTenant) {
    const rights = isAll(app) ? '' : `, '${app.rights.join(', ')}'`
    return [
      `select tenant_table('${name}'${rights});\n`,
      ...grantTexts(
        name,
        grants.filter((grant) => grant !== app && grant !== system),
      ),
    ]
  }
  const isGlobal = policies.length === 0 && !table.secured && isAll(system)
  if (isGlobal)
    return [
      `select global_table('${name}');\n`,
      ...grantTexts(
        name,
        grants.filter((grant) => grant !== system),
      ),
    ]
  return [
    ...(table.secured ? [`alter table ${name} enable row level security;\n`] : []),
    ...(table.forced ? [`alter table ${name} force row level security;\n`] : []),
    ...policies.map((policy) => {
      const [command, rest] = /^for \w+/.exec(policy.definition)?.[0]
        ? [
            policy.definition.slice(0, policy.definition.indexOf(' using')),
            policy.definition.slice(policy.definition.indexOf('using')),
          ]
        : ['', policy.definition]
      return `create policy ${policy.name} on ${name} ${command ? `${command} ` : ''}to ${policy.roles.join(', ')} ${plain(rest)};\n`
    }),
    ...grantTexts(name, grants),
  ]
}

function grantTexts(table: string, grants: Table['grants']): string[] {
  return grants.map(({ role, rights, columns }) => {
    const what = columns ? rights.map((right) => `${right} (${columns.join(', ')})`) : rights
    return `grant ${what.join(', ')} on ${table} to ${role};\n`
  })
}

const LONG_NAMES = /timestamp with time zone|\binteger\b|\bTABLE\b|\bSETOF\b|\bDEFAULT\b/g
const short = (long: string): string =>
  ({ 'timestamp with time zone': 'timestamptz', integer: 'int' } as Record<string, string>)[long] ?? long.toLowerCase()

/** Definitions in our style: lower-case keywords, `in` lists, no schema and no casts of texts. */
function plain(definition: string): string {
  return definition
    .replaceAll(/\bpublic\./g, '')
    .replaceAll(/\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)/g, '$1 in ($2)')
    .replaceAll(' ON ONLY ', ' ON ')
    .replaceAll(/::(?:text|jsonb)\b(?!\[)/g, '')
    .replaceAll(/::(?:text|uuid)\[\]/g, '')
    .replaceAll(/'(?:[^']|'')*'|\b[A-Z]{2,}\b/g, (word) => (word.startsWith("'") ? word : word.toLowerCase()))
    .replaceAll(/ using btree /g, ' ')
    .replaceAll('timestamp with time zone', 'timestamptz')
}
