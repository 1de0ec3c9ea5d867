import { pageOfCall, put } from './facebookPage.ts'
import { pull, type Surroundings } from './pull.ts'
import { type Call, type Reply, type Route, type World } from './world.ts'

/*
 * Facebook's ways to upload videos: one call with a URL or the file, three phases with offsets, and three phases for
 * reels and stories whose bytes go to another host. A video is a post of its own that is processed for some checks. Its
 * status is spelled as in the SDKs, with the switch `reels spelling` as in the Reels Publishing API. With `slow
 * upload`, a finished upload is reported as complete only after some checks, and without bytes until then.
 */
const types = ['video/mp4', 'video/quicktime']
const LARGEST = 10_000_000_000
const version = '{v}'

type Session = {
  page: string
  kind: string
  size: number
  received: number
  text: string
  looks: number
  /** Checks of the upload after its last byte. */
  seen: number
  finished: boolean
}

export function facebookVideoRoutes(world: World, around: Surroundings): Route[] {
  const sessions = new Map<string, Session>()
  const session = (id: string): Session => sessions.get(id) ?? world.no('missing', `Video ${id} does not exist.`)
  const open = (page: string, kind: string, size: number): string => {
    const id = world.nextId()
    sessions.set(id, { page, kind, size, received: 0, text: '', looks: 0, seen: 0, finished: false })
    return id
  }
  const stand = (id: string, video: Session, now: number): string => {
    video.finished = true
    if (video.kind === 'video') {
      world.publish(
        {
          id,
          account: video.page,
          kind: 'video',
          text: video.text,
          permalink: `https://www.facebook.com/${video.page}/videos/${id}`,
          more: { status: {} },
        },
        now,
      )
      return id
    }
    return put(world, video.page, video.kind, video.text, now, { media: [id], more: { video: true } }).id
  }

  const videos = async (call: Call): Promise<Reply> => {
    const { page } = pageOfCall(world, call, 'pages_manage_posts')
    const phase = call.text('upload_phase')
    if (phase === 'start') {
      const size = Number(call.text('file_size'))
      if (!(size > 0)) world.no('request', 'file_size is required.')
      const id = open(page, 'video', size)
      return {
        json: { video_id: id, upload_session_id: id, start_offset: '0', end_offset: String(Math.min(size, 4_194_304)) },
      }
    }
    if (phase === 'transfer') {
      const video = session(call.text('upload_session_id'))
      const chunk = call.body.files.video_file_chunk ?? world.no('request', 'video_file_chunk is required.')
      if (Number(call.text('start_offset')) !== video.received)
        return {
          status: 400,
          json: {
            error: {
              message: '(#6001) There was a problem uploading your video file. Please try again.',
              type: 'OAuthException',
              code: 6001,
              error_subcode: 1_363_037,
              error_data: JSON.stringify({ start_offset: video.received }),
            },
          },
        }
      video.received += chunk.bytes
      if (video.received > video.size) world.no('media', 'More came than was announced.')
      return {
        json: {
          start_offset: String(video.received),
          end_offset: String(Math.min(video.size, video.received + 4_194_304)),
        },
      }
    }
    if (phase === 'finish') {
      const id = call.text('upload_session_id')
      const video = session(id)
      if (video.received !== video.size) world.no('media', 'The video is not whole.')
      video.text = call.text('description')
      stand(id, video, call.now)
      return { json: { success: true } }
    }
    const file =
      call.body.files.source ??
      (call.text('file_url') ? await pull(around.pull, call.text('file_url'), { types, bytes: LARGEST }) : undefined)
    if (file === undefined) world.no('media', 'No video was given.')
    if (typeof file === 'string') world.no('media', `Unable to fetch video file from URL: it ${file}`)
    const id = open(page, 'video', file.bytes)
    const video = session(id)
    video.text = call.text('description')
    video.received = video.size
    stand(id, video, call.now)
    return { json: { id } }
  }

  const phases =
    (kind: 'reel' | 'story') =>
    (call: Call): Reply => {
      const { page } = pageOfCall(world, call, 'pages_manage_posts')
      if (call.text('upload_phase').toLowerCase() === 'start') {
        const id = open(page, kind, 0)
        return { json: { video_id: id, upload_url: `https://rupload.facebook.com/video-upload/${call.path.v}/${id}` } }
      }
      const id = call.text('video_id')
      const video = session(id)
      if (video.size === 0 || video.received < video.size) world.no('request', 'The video was not uploaded.')
      if (video.finished) world.no('request', 'The video is published already.')
      if (kind === 'reel' && call.text('video_state').toUpperCase() !== 'PUBLISHED')
        world.no('request', 'Only video_state PUBLISHED is played here.')
      video.text = call.text('description')
      const post = stand(id, video, call.now)
      return { json: { success: true, post_id: kind === 'story' ? post.replace(/^\d+_/, '') : post } }
    }

  /** The bytes of a reel or story: everything, or from where it stopped (`offset`), or fetched from a URL. */
  const upload = async (call: Call): Promise<Reply> => {
    world.who(call, 'pages_manage_posts')
    const video = session(call.path.video ?? '')
    if (call.headers.file_url) {
      const file = await pull(around.pull, call.headers.file_url, { types, bytes: LARGEST })
      if (typeof file === 'string')
        return {
          status: 400,
          json: { debug_info: { retriable: false, type: 'ProcessingFailedError', message: `The file ${file}` } },
        }
      video.size = video.received = file.bytes
      return { json: { success: true } }
    }
    if (Number(call.headers.offset) !== video.received)
      return {
        status: 400,
        json: {
          debug_info: {
            retriable: false,
            type: 'OffsetInvalidError',
            message: `Request starting offset is invalid: ${video.received} is expected`,
          },
        },
      }
    video.size = Number(call.headers.file_size)
    video.received += call.body.bytes
    return video.received > video.size
      ? {
          status: 400,
          json: {
            debug_info: { retriable: false, type: 'PartialRequestError', message: 'Body is larger than announced' },
          },
        }
      : { json: { success: true } }
  }

  const status = (call: Call): Reply | undefined => {
    const video = sessions.get(call.path.id ?? '')
    if (!video || !/\bstatus\b/.test(call.text('fields'))) return undefined
    world.who(call)
    const isWhole = video.size > 0 && video.received === video.size
    const isSlow = world.switches.has('slow upload')
    const uploaded = isWhole && (!isSlow || video.finished || video.seen++ >= world.looks)
    const reelsSpelling = world.switches.has('reels spelling')
    const ready = video.finished && video.looks++ >= world.looks
    const phase = (done: boolean, going: boolean) => ({
      status: done ? (reelsSpelling ? 'completed' : 'complete') : going ? 'in_progress' : 'not_started',
    })
    return {
      json: {
        id: call.path.id,
        ...(video.finished && {
          permalink_url: video.kind === 'reel' ? `/reel/${call.path.id}/` : `/${video.page}/videos/${call.path.id}/`,
        }),
        status: {
          video_status: ready ? 'ready' : video.finished ? 'processing' : uploaded ? 'upload_complete' : 'uploading',
          uploading_phase: {
            ...phase(uploaded, true),
            ...(!(isSlow && isWhole) && { [reelsSpelling ? 'bytes_transfered' : 'bytes_transferred']: video.received }),
          },
          processing_phase: phase(ready, video.finished),
          publishing_phase: {
            ...phase(ready, video.finished),
            ...(ready && { publish_status: 'published', publish_time: Math.floor(call.now / 1000) }),
          },
        },
      },
    }
  }

  return [
    ...['graph.facebook.com', 'graph-video.facebook.com'].map((host): Route => [
      `POST ${host}/${version}/{id}/videos`,
      videos,
    ]),
    [`POST graph.facebook.com/${version}/{id}/video_reels`, phases('reel')],
    [`POST graph.facebook.com/${version}/{id}/video_stories`, phases('story')],
    [`POST rupload.facebook.com/video-upload/${version}/{video}`, upload],
    ['POST rupload.facebook.com/video-upload/{video}', upload],
    [`GET graph.facebook.com/${version}/{id}`, status],
  ]
}
