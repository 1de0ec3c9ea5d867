import type { LiveEvent } from '#contract/live.ts'
import { conversationKinds, rightOf } from '#contract/inbox/terms.ts'
import { allows, type Action, type Resource } from '#contract/permissions.ts'
import { isInScope } from '../access/visiblePosts.ts'
import type { Caller, CallerOrg, CallerProject } from '../http/route.ts'

type Kind = LiveEvent['kind']

/**
 * What an event's ref names, and what decides who sees it. A draft has no channel, only a post and an import have an
 * author, and only a conversation has a kind. An unbound discussion is about the project.
 */
export type Subject = {
  what: 'post' | 'conversation' | 'channel' | 'campaign' | 'label' | 'hashtags' | 'workflow' | 'import' | 'project'
  channel_id: string | null
  author_id: string | null
  kind: string | null
}

/** The subjects of events, by ref; what was deleted is missing. A discussion can be about several posts. */
export type Subjects = ReadonlyMap<string, readonly Subject[]>

type Named = Pick<LiveEvent, 'kind' | 'ref'>
/** Whether a listener sees an event of a kind: always, never, by its ref, or by what its ref names. */
type Rule = boolean | { ofRef: (ref: string) => boolean } | { ofSubjects: (subjects: readonly Subject[]) => boolean }

/** Which events someone may know of: worked out once for a stream, since it ends when their rights change. */
export type Sight = {
  /** The kinds of events whose subjects decide. */
  lookups: ReadonlySet<Kind>
  /** Whether they may know of the event. `subjects` has those of every event of a kind in `lookups`. */
  sees(event: Named, subjects: Subjects): boolean
}

type Viewer = {
  caller: Pick<Caller, 'personId'>
  org: Pick<CallerOrg, 'orgId' | 'isAdmin'>
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'permissions'>
}

/** What the caller may know of: the same as what endpoints about these things answer them. */
export function sightOf(viewer: Viewer): Sight {
  const rules = rulesOf(viewer)
  // keys of a record are its literal union
  const kinds = Object.keys(rules) as Kind[]
  return {
    lookups: new Set(kinds.filter((kind) => typeof rules[kind] === 'object' && 'ofSubjects' in rules[kind])),
    sees({ kind, ref }, subjects) {
      const rule = rules[kind]
      if (typeof rule === 'boolean') return rule
      return 'ofRef' in rule ? rule.ofRef(ref) : rule.ofSubjects(subjects.get(ref) ?? [])
    },
  }
}

function rulesOf(viewer: Viewer): Record<Kind, Rule> {
  const { org, project, caller } = viewer
  const { channelIds } = project
  const may = (resource: Resource, action: Action = 'view') => allows(project.permissions, resource, action)
  const everywhere = channelIds === null
  const posts = may('post')
  const talks = conversationKinds.filter((kind) => may('inbox') && may(rightOf(kind)))
  const taxonomy = new Map<Subject['what'], boolean>([
    ['label', may('label') || posts || may('inbox')],
    ['campaign', may('campaign') || posts],
    ['workflow', may('workflow') || posts],
    ['hashtags', may('hash_tags')],
  ])
  const kindsOfTaxonomy = [...taxonomy.values()]
  const inChannel = (subject: Subject) => isInScope(viewer, subject)

  const seesPost = (subject: Subject) => subject.what === 'post' && posts && inChannel(subject)
  const seesTalk = (subject: Subject) =>
    subject.what === 'conversation' && talks.some((kind) => kind === subject.kind) && inChannel(subject)
  const seesWorkplace = (subject: Subject) => seesPost(subject) || seesTalk(subject)

  const allTalks = everywhere && talks.length === conversationKinds.length
  const allPosts = everywhere && posts
  const some = (sees: (subject: Subject) => boolean): Rule => ({ ofSubjects: (subjects) => subjects.some(sees) })
  const workplace: Rule = allPosts && allTalks ? true : !posts && talks.length === 0 ? false : some(seesWorkplace)
  /** Of a channel, or of all channels of the organization. */
  const channel: Rule = everywhere || { ofRef: (ref) => channelIds.includes(ref) || ref === org.orgId }

  return {
    post: allPosts || (posts && some(seesPost)),
    presence: workplace,
    note: may('note') && workplace,
    // a removed channel's conversations are deleted together
    conversation:
      allTalks ||
      (talks.length > 0 && some((subject) => seesTalk(subject) || (subject.what === 'channel' && inChannel(subject)))),
    discussion:
      may('note') &&
      ((allPosts && allTalks && may('campaign')) ||
        some(
          (subject) =>
            seesWorkplace(subject) || subject.what === 'project' || (subject.what === 'campaign' && may('campaign')),
        )),
    taxonomy: kindsOfTaxonomy.every(Boolean) || {
      // what was deleted could have been any of them
      ofSubjects: (subjects) =>
        subjects.length === 0
          ? kindsOfTaxonomy.some(Boolean)
          : subjects.some(({ what }) => taxonomy.get(what) === true),
    },
    bulk:
      may('post', 'create') &&
      ((everywhere && may('post', 'edit')) || {
        // nobody knows anymore whose a removed one was
        ofSubjects: (subjects) =>
          subjects.length === 0 ||
          subjects.some(({ what, author_id }) => what === 'import' && author_id === caller.personId),
      }),
    asset: may('asset_library') || posts,
    channel,
    queue: may('queue') && channel,
    competitor: may('insights'),
    goal: may('insights'),
    report: may('insights'),
    bio: posts,
    project: org.isAdmin || { ofRef: (ref) => ref === project.projectId },
    // of people, plans and the organization everyone in it may know, and notices are addressed to one person
    member: true,
    notice: true,
    organization: true,
    plan: true,
  }
}
