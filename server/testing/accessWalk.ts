import type { Readable } from 'node:stream'
import type { EndpointShape } from '#contract/endpoint.ts'
import { Problem, type ErrorCode } from '#contract/errors.ts'
import { allows, noRole, systemRoles, type Permissions } from '#contract/permissions.ts'
import { urlOf } from './client.ts'
import { exampleOf } from './example.ts'
import { objectKinds, type ObjectKind } from './objects.ts'
import type { TestHome, TestPerson } from './people.ts'
import type { TestApp } from './startApp.ts'

/** Every kind of caller, from none up. */
const callers = [
  'nobody',
  'unconfirmed',
  'stranger',
  'memberOnly',
  'none',
  'user',
  'editor',
  'admin',
  'orgAdmin',
] as const
type CallerKind = (typeof callers)[number]

/** Whose organization and project are in the URL. */
const places = [
  'own',
  'foreign',
  'own organization, foreign project',
  'foreign organization, own project',
  'unknown',
  'malformed',
] as const
export type Place = (typeof places)[number]

export type AccessFixture = {
  home: TestHome
  elsewhere: TestHome
  people: Record<Exclude<CallerKind, 'nobody'>, TestPerson>
}

/** Two tenants, and everyone who may call from the first one or from outside. */
export async function makeAccessFixture(app: TestApp): Promise<AccessFixture> {
  const home = await app.signedInOwner()
  const people = {
    unconfirmed: await app.person({ confirmed: false }),
    stranger: (await app.signedInOwner()).person,
    memberOnly: await app.memberOnly(home),
    none: await app.colleague(home, 'none'),
    user: await app.colleague(home, 'user'),
    editor: await app.colleague(home, 'editor'),
    admin: await app.colleague(home, 'admin'),
    orgAdmin: home.person,
  }
  return { home, elsewhere: await app.signedInOwner(), people }
}

type Refusal = Extract<ErrorCode, 'UNAUTHORIZED' | 'USER_NOT_CONFIRMED' | 'IDENTIFIERS_ERROR' | 'FORBIDDEN'>
const refusals: readonly string[] = [
  'UNAUTHORIZED',
  'USER_NOT_CONFIRMED',
  'IDENTIFIERS_ERROR',
  'FORBIDDEN',
] satisfies Refusal[]

/** The expected outcome, by the endpoint's declaration alone: a refusal, or that the call passes the check. */
function expected({ access, path }: EndpointShape, caller: CallerKind, place: Place): Refusal | 'admitted' {
  if (access.kind === 'public') return 'admitted'
  if (caller === 'nobody') return 'UNAUTHORIZED'
  if (access.kind === 'session') return 'admitted'
  if (caller === 'unconfirmed') return 'USER_NOT_CONFIRMED'
  if (access.kind === 'user') return 'admitted'
  const organizationIsOwn = place === 'own' || place === 'own organization, foreign project'
  if (!organizationIsOwn || caller === 'stranger') return 'IDENTIFIERS_ERROR'
  if (access.kind === 'member') return 'admitted'
  if (access.kind === 'orgAdmin') return caller === 'orgAdmin' ? 'admitted' : 'FORBIDDEN'
  if (!path.includes(':projectId')) throw new Error(`${path} asks for a role in a project and names none`)
  if (place !== 'own' || caller === 'memberOnly') return 'IDENTIFIERS_ERROR'
  const allowed = [access, ...(access.or ?? [])].some(({ resource, anyOf }) =>
    anyOf.some((action) => allows(permissionsOf(caller), resource, action)),
  )
  return access.anyOf.length === 0 || allowed ? 'admitted' : 'FORBIDDEN'
}

type InProject = Extract<EndpointShape['access'], { kind: 'project' }>

/** Whether the declaration lets these permissions in. */
const isDeclared = (access: InProject, held: Permissions): boolean =>
  access.anyOf.length === 0 ||
  [access, ...(access.or ?? [])].some(({ resource, anyOf }) => anyOf.some((action) => allows(held, resource, action)))

function permissionsOf(caller: Exclude<CallerKind, 'nobody' | 'unconfirmed' | 'stranger' | 'memberOnly'>): Permissions {
  if (caller === 'none') return noRole
  return systemRoles[caller === 'orgAdmin' ? 'admin' : caller].permissions
}

function idsAt(place: Place, { home, elsewhere }: AccessFixture): { orgId: string; projectId: string } {
  const ids = {
    own: home.params,
    foreign: elsewhere.params,
    'own organization, foreign project': { orgId: home.orgId, projectId: elsewhere.projectId },
    'foreign organization, own project': { orgId: elsewhere.orgId, projectId: home.projectId },
    unknown: { orgId: '01920000-0000-7000-8000-00000000000a', projectId: '01920000-0000-7000-8000-00000000000b' },
    malformed: { orgId: "1' or '1'='1", projectId: 'undefined' },
  } satisfies Record<Place, { orgId: string; projectId: string }>
  return ids[place]
}

const UNKNOWN = '01920000-0000-7000-8000-00000000000c'
const paramsOf = ({ path }: EndpointShape) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
/** Path parameters with fixed words, and IDs at a platform, which aren't objects of ours. */
const words = { platform: 'x', kind: 'boards', app: 'x', boardId: '77', clientId: 'app-77' }
const noObjects = ['orgId', 'projectId', ...Object.keys(words)]
const objectParams = (endpoint: EndpointShape) => paramsOf(endpoint).filter((name) => !noObjects.includes(name))

/**
 * Calls that change their caller, the plan, or close the organization: each gets its own fixture, one after another,
 * the organization's admin last.
 */
const changesTheWorld = new Set(['leaveOrganization', 'switchToFree', 'deleteOrganization'])

/**
 * Calls an endpoint as every caller in every place, or in the given ones; returns a line for each outcome that its
 * declaration doesn't allow.
 */
export async function walkAccess(
  app: TestApp,
  world: AccessFixture,
  name: string,
  endpoint: EndpointShape,
  at: readonly Place[] = places,
): Promise<string[]> {
  const asked = paramsOf(endpoint).includes('orgId') ? at : (['own'] as const)
  const objects = Object.fromEntries(objectParams(endpoint).map((param) => [param, UNKNOWN]))
  const visit = async (caller: CallerKind, place: Place, there: AccessFixture): Promise<string[]> => {
    const wanted = expected(endpoint, caller, place)
    const answered = await outcomeOf(
      app,
      endpoint,
      { params: { ...words, ...idsAt(place, there), ...objects } },
      caller === 'nobody' ? undefined : there.people[caller],
    )
    const got = refusals.includes(answered) ? answered : 'admitted'
    return got !== wanted || answered === 'INTERNAL'
      ? [`${name} as ${caller} at ${place}: ${wanted} was declared, ${answered} was answered`]
      : []
  }
  const faults = await Promise.all(
    asked.map(async (place) => {
      if (!changesTheWorld.has(name)) return await Promise.all(callers.map((caller) => visit(caller, place, world)))
      const own = await makeAccessFixture(app)
      const found: string[][] = []
      for (const caller of callers) found.push(await visit(caller, place, own))
      return found
    }),
  )
  return faults.flat(2)
}

/**
 * Calls a project's endpoints with a role that has these permissions; returns a line for each that is refused although
 * the declaration allows it, or isn't refused although it doesn't. Only checks the role.
 */
export async function walkRole(
  app: TestApp,
  home: TestHome,
  holder: TestPerson,
  held: Permissions,
  named: readonly (readonly [string, EndpointShape])[],
): Promise<string[]> {
  const answers = await Promise.all(
    named.map(async ([name, endpoint]) => {
      if (endpoint.access.kind !== 'project') throw new Error(`${name} does not ask for a role`)
      const { resource } = endpoint.access
      const objects = Object.fromEntries(objectParams(endpoint).map((param) => [param, UNKNOWN]))
      const answered = await outcomeOf(app, endpoint, { params: { ...words, ...home.params, ...objects } }, holder)
      const isRefused = !isDeclared(endpoint.access, held)
      return (answered === 'FORBIDDEN') === isRefused
        ? []
        : [
            `${name} with ${resource} ${JSON.stringify(held[resource] ?? [])}: ${isRefused ? 'FORBIDDEN was due, ' : ''}${answered} was answered`,
          ]
    }),
  )
  return answers.flat()
}

/**
 * Bodies for endpoints where an example from the schema wouldn't reach the object: a time zone has to exist, a draft is
 * created with version 0, and a decision needs the current version.
 */
const bodies: Record<string, Record<string, unknown>> = {
  decideByLink: { version: 999 },
  saveDraft: { version: 1 },
  modifyBoard: { name: 'Bread' },
  setQueueSlots: { timezone: 'Europe/London' },
  payLocally: {
    cardNumber: '4242424242424242',
    expiryMonth: 12,
    expiryYear: 2030,
    securityCode: '123',
    cardholderName: 'Olive',
  },
}

/**
 * Objects that belong to no tenant of the caller: anyone with an invitation's ID may see it, and only its address may
 * accept it; only its token opens an approval link, and only its code a deletion request.
 */
const whenForeign: Record<string, string> = {
  readApprovalLink: '200',
  decideByLink: 'STALE_VERSION',
  readInvite: '200',
  dataDeletionStatus: '200',
  acceptInvite: 'INVITE_WRONG_ADDRESS',
  declineInvite: 'INVITE_WRONG_ADDRESS',
}

/**
 * Calls an endpoint as people who pass its check, with objects of another tenant or another project in the URL.
 * Anything but NOT_FOUND is an error, and so is a changed row.
 */
export async function walkObjects(
  app: TestApp,
  world: AccessFixture,
  name: string,
  endpoint: EndpointShape,
): Promise<string[]> {
  const params = objectParams(endpoint)
  const unknown = params.filter((param) => !objectKinds[param])
  if (unknown.length > 0) return [`${name}: the parameters ${unknown.join(', ')} need a builder in testing/objects.ts`]
  const second = await app.project(world.home.orgId, world.home.person)
  const neighbor = { ...world.home, projectId: second.projectId, person: await app.person() }
  const faults: string[] = []
  const wanted = whenForeign[name] ?? 'NOT_FOUND'
  // an object of the organization is the same in each of its projects
  const ofOrganization = endpoint.path.includes(':orgId') && !endpoint.path.includes(':projectId')
  const owners = [
    ['another tenant', world.elsewhere],
    ['another project', neighbor],
  ] as const
  // each parameter in turn is someone else's; the others are the caller's
  const turns = params.flatMap((param) =>
    (ofOrganization ? owners.slice(0, 1) : owners).map((owner) => ({ param, owner })),
  )
  for (const {
    param,
    owner: [whose, there],
  } of turns) {
    const kind = objectKinds[param]
    if (!kind) continue
    const id = await kind.make(app, there)
    const before = await rowOf(app, kind, id)
    const others: Record<string, string> = {}
    for (const other of params)
      if (other !== param) others[other] = (await objectKinds[other]?.make(app, world.home)) ?? ''
    for (const caller of callers) {
      if (expected(endpoint, caller, 'own') !== 'admitted' || caller === 'nobody') continue
      const example = endpoint.body ? { ...Object(exampleOf(endpoint.body)), ...bodies[name] } : undefined
      const query = endpoint.query ? exampleOf(endpoint.query) : undefined
      const answered = await outcomeOf(
        app,
        endpoint,
        {
          params: { ...words, ...world.home.params, ...others, [param]: id },
          query,
          ...(example && { body: example }),
        },
        world.people[caller],
      )
      if (answered !== wanted)
        faults.push(`${name} as ${caller} with a ${param} of ${whose}: ${wanted} was due, ${answered} was answered`)
    }
    if ((await rowOf(app, kind, id)) !== before) faults.push(`${name} changed the ${param} of ${whose}`)
  }
  return faults
}

async function rowOf(app: TestApp, { table, key = 'id' }: ObjectKind, id: string): Promise<string | undefined> {
  const { rows } = await app.database.owner.query<{ row: string }>(
    `select to_jsonb(t)::text as row from ${table} t where ${key} = $1`,
    [id],
  )
  return rows[0]?.row
}

/** The failure's code, or the status of a success. */
async function outcomeOf(
  app: TestApp,
  endpoint: EndpointShape,
  input: { params: Record<string, string>; body?: unknown },
  as: TestPerson | undefined,
): Promise<string> {
  // a call such as logout ends its own session
  const visitor = as && !endpoint.path.includes(':orgId') ? await app.anotherBrowser(as) : as
  const cookie = visitor ? { cookie: [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ') } : {}
  const response = await app.app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, input),
    // no body if there is no example: admitted callers then get a validation error
    ...(input.body === undefined
      ? { headers: cookie }
      : { headers: { 'content-type': 'application/json', ...cookie }, payload: JSON.stringify(input.body) }),
    // a stream would never end
    payloadAsStream: true,
  })
  const stream: Readable = response.stream()
  if (response.statusCode < 400) {
    stream.destroy()
    return String(response.statusCode)
  }
  const problem = Problem.safeParse(JSON.parse(Buffer.concat(await stream.toArray()).toString() || 'null'))
  return problem.success ? problem.data.code : `no problem details but ${response.statusCode}`
}
