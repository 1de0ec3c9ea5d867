import type { UnfinishedUpload } from '#contract/drafts.ts'
import type { Scope as SeriesScope } from '#contract/posts.ts'
import type { KnownLinks } from './checks.ts'
import type { Doc, Scope } from './doc.ts'
import { changedDoc, isDocAction, type DocAction } from './docActions.ts'
import type { SaveState } from './draftSaver.ts'
import type { Refusal } from './serverErrors.ts'

/** What was sent when the server refused it; the refusal is shown until it changes. */
export type Sent = { doc: Doc; files: string; approve: boolean }

type Sending = {
  /** `sent` is final: what is typed after it would be stored nowhere. */
  phase: 'writing' | 'sending' | 'sent'
  /** The person tried to submit: from now on, missing parts are named. */
  tried: boolean
  refused: (Sent & { refusal: Refusal }) | undefined
  /** For an edited post: what differs from the version that someone else saved. For a draft, `saving` has it. */
  conflict: readonly string[] | undefined
  /** Which posts of a series change, and whether separately edited ones do. */
  series: { scope: SeriesScope; overwrite: boolean }
  /** Approval was requested; a workflow may still have to be chosen. */
  asksForApproval: boolean
  /** The person is asked whether to publish right away. */
  confirms: boolean
  /** A submit was refused because files were still uploading: once they're there, nothing has been submitted yet. */
  waitedForFiles: boolean
}

type View = {
  /** The opened version; versionOf says which one is shown. */
  scope: Scope
  /** The item with the last focus: dropped files go there. */
  item: string | undefined
  /** The item whose AI help is open. */
  aiHelp: string | undefined
  /** What a phone shows. */
  side: 'write' | 'preview'
  /** How often the first problem should have come into view. */
  problemsShown: number
}

type Notices = {
  /** Unsaved changes were found in this browser. */
  restored: boolean
  /** How many files of the post no longer exist. */
  filesGone: number
  /** Files whose upload hadn't finished when the draft was saved; they have to be attached again. */
  filesUnfinished: readonly UnfinishedUpload[]
  /** Why files weren't attached, a sentence for each. */
  filesRefused: readonly string[]
}

/** An open composer's whole state. The files themselves are in features/media. */
export type ComposerState = {
  doc: Doc
  view: View
  saving: SaveState
  sending: Sending
  notices: Notices
  /** What happens to links, once that's known. */
  links?: KnownLinks | undefined
}

type ViewAction =
  | { type: 'versionOpened'; scope: Scope }
  | { type: 'itemFocused'; key: string }
  /** Opens the AI help of an item, or closes it. */
  | { type: 'aiHelpShown'; key: string | undefined }
  | { type: 'sideShown'; side: View['side'] }
  /** Brings the first problem into view: of all channels, or of the open version. */
  | { type: 'problemsShown'; scope?: 'all' }
  | { type: 'filesRefused'; sentences: readonly string[] }
  | { type: 'noticeDismissed'; notice: keyof Notices }
  | { type: 'linksKnown'; links: KnownLinks | undefined }

type SendingAction =
  | { type: 'saveChanged'; saving: SaveState }
  | { type: 'submitTried' }
  /** `broken` names the channels with problems, `shown` is the version on screen; `byFiles` if some haven't arrived. */
  | { type: 'submitBlocked'; broken: readonly string[]; shown: Scope; byFiles: boolean }
  | { type: 'submitStarted' }
  | { type: 'submitRefused'; sent: Sent; refusal: Refusal }
  | { type: 'submitConflicted'; fields: readonly string[] }
  | { type: 'submitEnded'; sent: boolean }
  | { type: 'seriesScopeChosen'; series: Partial<Sending['series']> }
  | { type: 'approvalAsked'; workflowId: string | undefined }
  | { type: 'workflowChosen'; workflowId: string | null }
  | { type: 'confirmationAsked' }
  | { type: 'confirmationAnswered' }

export type ComposerAction = DocAction | ViewAction | SendingAction

const NO_NOTICES: Notices = { restored: false, filesGone: 0, filesUnfinished: [], filesRefused: [] }

/** What a composer opens with; `savedAt` is undefined for an edited post and for one that was never saved. */
type Opened = {
  doc: Doc
  savedAt: string | undefined
  restored: boolean
  gone: number
  unfinished: readonly UnfinishedUpload[]
}

/** The composer before anything was done in it. */
export function openedComposer({ doc, savedAt, restored, gone, unfinished }: Opened): ComposerState {
  const isChanged = restored || gone > 0
  return {
    doc,
    view: { scope: 'all', item: doc.items[0]?.key, aiHelp: undefined, side: 'write', problemsShown: 0 },
    saving: savedAt === undefined ? { kind: 'new' } : isChanged ? { kind: 'waiting' } : { kind: 'saved', at: savedAt },
    sending: {
      phase: 'writing',
      tried: false,
      refused: undefined,
      conflict: undefined,
      series: { scope: 'this', overwrite: false },
      asksForApproval: false,
      confirms: false,
      waitedForFiles: false,
    },
    notices: { ...NO_NOTICES, restored, filesGone: gone, filesUnfinished: unfinished },
  }
}

/** The next state after an action. Parts that don't change keep their identity. */
export function composerReducer(state: ComposerState, action: ComposerAction): ComposerState {
  if (isDocAction(action)) {
    const doc = changedDoc(state.doc, action)
    return doc === state.doc ? state : { ...state, doc }
  }
  const withView = (view: Partial<View>): ComposerState => ({ ...state, view: { ...state.view, ...view } })
  const withSending = (sending: Partial<Sending>): ComposerState => ({
    ...state,
    sending: { ...state.sending, ...sending },
  })
  const problemsShown = state.view.problemsShown + 1
  switch (action.type) {
    case 'versionOpened':
      return withView({ scope: action.scope })
    case 'itemFocused':
      return state.view.item === action.key ? state : withView({ item: action.key })
    case 'aiHelpShown':
      return withView({ aiHelp: action.key })
    case 'sideShown':
      return withView({ side: action.side })
    case 'problemsShown':
      return withView({ scope: action.scope ?? state.view.scope, problemsShown })
    case 'filesRefused':
      return { ...state, notices: { ...state.notices, filesRefused: action.sentences } }
    case 'noticeDismissed':
      return { ...state, notices: { ...state.notices, [action.notice]: NO_NOTICES[action.notice] } }
    case 'linksKnown':
      return { ...state, links: action.links }
    case 'saveChanged':
      return { ...state, saving: action.saving }
    case 'submitTried':
      return withSending({ tried: true })
    case 'submitBlocked': {
      // the open version may be fine while another one isn't
      const isElsewhere = action.shown !== 'all' && action.broken.length > 0 && !action.broken.includes(action.shown)
      return {
        ...withView({ side: 'write', scope: isElsewhere ? 'all' : state.view.scope, problemsShown }),
        sending: { ...state.sending, waitedForFiles: action.byFiles },
      }
    }
    case 'submitStarted':
      return withSending({ phase: 'sending', conflict: undefined, waitedForFiles: false })
    case 'submitRefused':
      return withSending({ refused: { ...action.sent, refusal: action.refusal } })
    case 'submitConflicted':
      return withSending({ conflict: action.fields })
    case 'submitEnded':
      return withSending({ phase: action.sent ? 'sent' : 'writing' })
    case 'seriesScopeChosen':
      return withSending({ series: { ...state.sending.series, ...action.series } })
    case 'approvalAsked':
      return {
        ...withSending({ asksForApproval: true }),
        doc: action.workflowId === undefined ? state.doc : { ...state.doc, workflowId: action.workflowId },
      }
    case 'workflowChosen':
      return { ...withSending({ asksForApproval: false }), doc: { ...state.doc, workflowId: action.workflowId } }
    case 'confirmationAsked':
      return withSending({ confirms: true })
    case 'confirmationAnswered':
    default:
      return withSending({ confirms: false })
  }
}
