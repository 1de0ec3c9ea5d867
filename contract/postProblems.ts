import { z } from 'zod'
import { codecName } from './codecNames.ts'
import { errorCatalog, errorCodes } from './errors.ts'
import { describeMediaProblem, FileKind, fileTypeName, tooLarge, unsupported } from './mediaProblems.ts'
import { PostAction, PostState } from './postStates.ts'

/*
 * Why a post isn't accepted: a code with parameters, worded only here. They come from the checks that the composer and
 * the server share (checkPost.ts) and from the server's own refusals; bulk rows and approved posts that wait store
 * them.
 */

/** A problem as it's stored. */
export const StoredProblem = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).optional() })

type Entry<Params extends z.ZodType = z.ZodType> = {
  params: Params
  // a method, so that entries have one type whatever their parameters are: these are parsed before it is called
  words(params: z.infer<Params>): string
}
const about = <Shape extends z.ZodRawShape>(
  shape: Shape,
  words: (params: z.infer<z.ZodObject<Shape>>) => string,
): Entry<z.ZodObject<Shape>> => ({ params: z.object(shape), words })
const plain = (words: string) => about({}, () => words)

const Text = z.string()
const Count = z.number()
const Kind = FileKind
const codecNames = (codecs: readonly string[]): string => codecs.map(codecName).join(', ')

/** From platforms' rules; the specification's words where it has some. */
const rules = {
  'thread-too-long': about({ most: Count }, ({ most }) =>
    most === 1 ? 'threads are not supported' : `a thread cannot have more than ${most} posts`,
  ),
  'post-type-unsupported': about(
    { postType: Text, handle: Text },
    ({ postType, handle }) => `You can't publish a post of the type "${postType}" to ${handle}.`,
  ),

  // texts
  'text-missing': about({ orImage: z.boolean() }, ({ orImage }) =>
    orImage ? 'write something or attach an image' : 'write something',
  ),
  'title-missing': plain('write a title'),
  'text-too-long': about(
    { what: Text, by: Count, max: Count, unit: z.enum(['character', 'byte']) },
    ({ what, by, max, unit }) => `the ${what} is ${by} ${unit}${by === 1 ? '' : 's'} over the limit of ${max}`,
  ),
  'characters-not-allowed': about(
    { what: Text, characters: z.array(Text) },
    ({ what, characters }) => `the ${what} can't contain ${characters.join(' or ')}`,
  ),
  'too-many-in-text': about(
    { kind: z.enum(['hashtags', 'mentions', 'links', 'cashtags']), limit: Count },
    ({ kind, limit }) =>
      `no more than ${limit} ${{ hashtags: 'hashtags', mentions: 'mentions', links: 'different links', cashtags: 'cashtag (such as $ABC)' }[kind]} ${limit === 1 ? 'is' : 'are'} allowed`,
  ),
  'first-comment-unsupported': plain('a first comment is not supported'),

  // files
  'file-kind-unsupported': about({ kind: Kind }, ({ kind }) => `${kind}s are not supported`),
  'file-type-unsupported': about({ kind: Kind, types: z.array(Text) }, ({ kind, types }) => unsupported(kind, types)),
  'file-too-large': about({ kind: Kind, bytes: Count }, ({ kind, bytes }) => tooLarge(kind, bytes)),
  'file-missing': about({ kinds: z.enum(['image', 'video', 'both']) }, ({ kinds }) =>
    kinds === 'both' ? 'attach an image or a video' : `attach ${kinds === 'image' ? 'an image' : 'a video'}`,
  ),
  'too-many-files': about({ kind: Kind, most: Count }, ({ kind, most }) =>
    kind === 'video' ? `Maximum ${most} video(s) allowed` : `maximum ${most} ${kind}(s) allowed`,
  ),
  'too-many-images-and-videos': about({ most: Count }, ({ most }) => `maximum ${most} images and videos allowed`),
  'file-must-be-alone': about(
    { types: z.array(Text) },
    ({ types }) =>
      `a ${types.map((type) => fileTypeName(type).toUpperCase()).join(' or ')} must be the only file in a post`,
  ),
  'media-mixed': plain('mixed media types are not supported'),
  'documents-mixed': plain('documents cannot be mixed with other media'),
  'image-too-few-bytes': about(
    { bytes: Count },
    ({ bytes }) => `image size must be at least ${Math.round(bytes / 1024)} KB`,
  ),
  'image-too-large': about(
    { shorter: Count, longer: Count },
    ({ shorter, longer }) => `image cannot be larger than ${shorter} by ${longer} pixels`,
  ),
  'image-too-many-pixels': about(
    { pixels: Count },
    ({ pixels }) => `image cannot have more than ${pixels.toLocaleString('en')} pixels`,
  ),
  'image-colors': plain('image must have RGB colors, not CMYK'),
  'moving-too-many-frames': about(
    { frames: Count },
    ({ frames }) =>
      `an animation cannot have more than ${frames} frames. Remove some frames, or attach it as an MP4 video`,
  ),
  'moving-unusual': about(
    { frames: Count },
    ({ frames }) => `an animation of more than ${frames} frames may not be accepted`,
  ),
  'image-shape': about(
    { narrowest: Text, widest: Text },
    ({ narrowest, widest }) => `image must be between ${narrowest} and ${widest} (width to height)`,
  ),
  'alt-text-too-long': about({ max: Count }, ({ max }) => `alt text cannot exceed ${max} characters`),
  'video-too-short': about({ seconds: Count }, ({ seconds }) => `video must be at least ${duration(seconds)} long`),
  'video-too-long': about({ seconds: Count }, ({ seconds }) => `video cannot be longer than ${duration(seconds)}`),
  'video-too-small': about(
    { width: Count, height: Count },
    ({ width, height }) => `video must be at least ${width} by ${height} pixels`,
  ),
  'video-too-large': about(
    { shorter: Count, longer: Count },
    ({ shorter, longer }) => `video cannot be larger than ${longer} by ${shorter} pixels`,
  ),
  'video-too-wide': about({ width: Count }, ({ width }) => `video cannot be wider than ${width} pixels`),
  'video-too-many-pixels': about(
    { pixels: Count },
    ({ pixels }) => `video cannot have more than ${pixels.toLocaleString('en')} pixels per frame`,
  ),
  'video-frame-rate': about({ rate: Count, min: Count, max: Count }, ({ rate, min, max }) =>
    min > 0
      ? `video must have ${min} to ${max} frames per second, not ${rate}`
      : `video cannot have more than ${max} frames per second. It has ${rate}`,
  ),
  'video-codec': about(
    { codec: Text, supported: z.array(Text) },
    ({ codec, supported }) =>
      `unsupported video codec: ${codecName(codec)}. Supported: ${codecNames(supported)}. Export the video as MP4 with H.264`,
  ),
  'audio-codec': about(
    { codec: Text, supported: z.array(Text) },
    ({ codec, supported }) =>
      `unsupported audio codec: ${codecName(codec)}. Supported: ${codecNames(supported)}. Export the video as MP4 with AAC audio`,
  ),
  'codec-unusual': about(
    { codec: Text },
    ({ codec }) => `${codecName(codec)} may not be accepted. MP4 with H.264 and AAC always is`,
  ),
  'video-chroma': about(
    { chroma: Text, supported: z.array(Text) },
    ({ chroma, supported }) =>
      `video must have ${supported.join(' or ')} chroma subsampling, not ${chroma}. Export it as MP4 with H.264`,
  ),
  'video-not-upright': plain('video must be portrait or square'),
  'video-without-thumbnail': plain('choose a thumbnail for the video'),
  'document-too-many-pages': about({ pages: Count }, ({ pages }) => `document cannot have more than ${pages} pages`),

  // details
  'detail-missing': about({ field: Text }, ({ field }) => missingDetails[field] ?? 'this is required'),
  'detail-not-an-option': about({ options: z.array(Text) }, ({ options }) => `choose one of: ${options.join(', ')}`),
  'branded-content-private': plain('Branded content visibility cannot be set to private.'),
  'disclosure-undecided': plain('You need to indicate if your content promotes yourself, a third party, or both.'),
  'button-link-missing': plain('enter the link for the button'),
  'event-ends-before-start': plain('the end is before the start'),
}

/** About the channel, the files, the plan and the project at that moment. */
const circumstances = {
  'channel-over-plan': about(
    { handle: Text },
    ({ handle }) => `${handle} is disabled: your plan doesn't have room for it.`,
  ),
  'channel-disabled': about(
    { handle: Text },
    ({ handle }) => `${handle} is disabled. Enable the channel to post to it.`,
  ),
  'channel-signed-out': about(
    { handle: Text },
    ({ handle }) => `${handle} is signed out. Reconnect the channel first, or ask a project admin to do it.`,
  ),
  'channel-unknown': plain("This channel doesn't exist, or you don't have access to it."),
  'post-channel-gone': plain('The channel of this post was disconnected.'),
  'post-without-channels': plain('Open this draft and choose channels first.'),
  'post-locked': about({ action: PostAction, state: PostState }, ({ action, state }) =>
    state === 'PROCESSING' ? stateWords.PROCESSING : `${stateWords[state]} ${actionWords[action]}`,
  ),
  'file-gone': plain('This file no longer exists. Attach it again.'),
  'file-uploading': plain('This file is still uploading.'),
  /** `problem` is a MediaProblem. */
  'file-unusable': about({ problem: z.unknown() }, ({ problem }) => describeMediaProblem(problem)),
  'image-not-small-enough': plain("This image can't be made small enough."),
  'plan-ended': about({ isAdmin: z.boolean() }, ({ isAdmin }) =>
    isAdmin
      ? 'Your plan has ended. Choose a plan to publish again.'
      : 'Your plan has ended. Ask an organization admin to choose a new one.',
  ),
  'plan-ended-read-only': about({ isAdmin: z.boolean() }, ({ isAdmin }) =>
    isAdmin
      ? 'Your plan has ended. You can still view and export everything. Choose a plan to change it.'
      : 'Your plan has ended. You can still view and export everything. Ask an organization admin to choose a new one.',
  ),
  'not-in-plan': about({ gate: Text }, ({ gate }) => notInPlan[gate] ?? errorCatalog.PLAN_LIMIT.detail),
  'schedule-cap': about({ limit: Count }, ({ limit }) => `You've reached the limit of ${limit} scheduled posts.`),
  'may-not-publish': plain("Your role doesn't allow publishing. Send the post for approval, or ask a project admin."),
  'time-passed': plain('This time has passed. Choose a later one.'),
  'label-gone': plain('One of these labels no longer exists.'),
  'label-archived': about({ name: Text }, ({ name }) => `The label ${name} is archived.`),
  'workflow-gone': plain('This workflow no longer exists.'),
  'bio-page-gone': plain('This link in bio page no longer exists.'),
  'bio-link-leads-on': plain(
    "this link leads on through Rookery, so visitors couldn't tell where it goes; enter the final link",
  ),
  'bio-link-invalid': plain('enter the link of the post on your link in bio page'),
  'campaign-gone': plain('One of these campaigns no longer exists.'),
  'campaign-closed': about(
    { name: Text, because: z.enum(['completed', 'archived']) },
    ({ name, because }) => `The campaign ${name} is ${because} and can't take new posts.`,
  ),
}

/** About a file that a bulk row gives by URL, and about the row itself. */
const imports = {
  'link-failed': about(
    { url: Text, problem: z.unknown() },
    ({ url, problem }) => `${url}: ${describePostProblem(problem)}`,
  ),
  'link-to-page': plain(
    "This link leads to a web page, not to a file. Use the file's own link: open the picture or video by itself, and copy that address.",
  ),
  'link-too-large': about(
    { bytes: Count },
    ({ bytes }) => `The file at this link is larger than ${bytes / 1_000_000} MB.`,
  ),
  'import-limit': about(
    { files: Count, bytes: Count },
    ({ files, bytes }) =>
      `At most ${files.toLocaleString('en')} files and ${bytes / 1_000_000_000} GB can be imported from links per day. Upload the file instead, or try again tomorrow.`,
  ),
  'images-in-line': about(
    { most: Count },
    ({ most }) => `${most} images are already being processed. Wait until some are done.`,
  ),
  'documents-in-line': about(
    { most: Count },
    ({ most }) => `${most} documents are already waiting to be made. Wait until some are done.`,
  ),
  'disk-full': plain('This server is out of disk space. Contact your Rookery administrator.'),
  'confirmer-left': plain("The person who confirmed this isn't in the project anymore."),
  /** A failure that has nothing but its code (contract/errors.ts). */
  failed: about(
    { error: Text },
    ({ error }) => errorCatalog[errorCodes.find((code) => code === error) ?? 'INTERNAL'].detail,
  ),
}

const stateWords: Record<PostState, string> = {
  DRAFTS: 'This post is a draft.',
  NEEDS_APPROVAL: 'This post is waiting for approval.',
  REJECTED: 'This post was rejected.',
  APPROVED: 'This post is approved and needs a time.',
  SCHEDULED: 'This post is scheduled.',
  QUEUED: 'This post is queued.',
  PROCESSING: 'This post is being published. Wait a few seconds.',
  UNCONFIRMED: 'Confirm first whether this post was published.',
  PUBLISHED: 'This post is published.',
  FAILED: 'This post failed.',
  DELETED: 'This post was deleted.',
}
const actionWords: Record<PostAction, string> = {
  edit: "You can't change it here anymore.",
  reschedule: "You can't move it anymore.",
  sendNow: "You can't publish it now.",
  retry: 'You can only retry a failed post.',
  delete: "You can't delete it right now.",
  settle: "There's nothing to confirm.",
  label: "You can't change its labels.",
}
const missingDetails: Partial<Record<string, string>> = {
  boardId: 'choose a board',
  privacy: 'choose who can see it',
  madeForKids: "say whether it's made for kids",
  event: 'enter when it starts and ends',
  categoryId: 'choose a category',
}
const notInPlan: Partial<Record<string, string>> = {
  repeat: "Your plan doesn't include repeating posts.",
  queues: "Your plan doesn't include queues.",
  approval_workflows: 'Approval workflows are available on the Team plan.',
  campaigns: "Your plan doesn't include campaigns.",
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}

const known = { ...rules, ...circumstances, ...imports }
type Known = typeof known
export type ProblemCode = keyof Known
type ParamsOf<Code extends ProblemCode> = z.infer<Known[Code]['params']>
type Arguments<Code extends ProblemCode> = ParamsOf<Code> extends Record<string, never> ? [] : [params: ParamsOf<Code>]

/** A problem of this catalog; only `problem` creates one. */
export type PostProblem = { code: ProblemCode; params?: Record<string, unknown> }

/** Every code, by its name. */
export const postProblems: ReadonlyMap<string, Entry> = new Map<string, Entry>(Object.entries(known))

/** A problem, with the parameters that its code requires. */
export const problem = <Code extends ProblemCode>(code: Code, ...[params]: Arguments<Code>): PostProblem => ({
  code,
  ...(params && { params }),
})

/** A stored problem in words; general words for one that this version doesn't know. */
export function describePostProblem(stored: unknown): string {
  const { data } = StoredProblem.safeParse(stored)
  const entry = data && postProblems.get(data.code)
  const params = entry?.params.safeParse(data?.params ?? {})
  return entry && params?.success ? entry.words(params.data) : "This can't be published as it is."
}

/** The same as a complete sentence. */
export function problemSentence(stored: unknown): string {
  const words = describePostProblem(stored)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
}
