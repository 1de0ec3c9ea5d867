import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { editAsset, listAssets, listFolders } from '#contract/library.ts'
import { createUpload, getAsset } from '#contract/media.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { refresh } from '#web/lib/queries.ts'
import { isOverUploadLimit } from '#web/lib/unfinishedUploads.ts'
import { LOST, startUpload, type RunningUpload } from '#web/lib/upload.ts'
import { toast } from '#web/ui/toast.ts'

/** A file being uploaded to the library. Once it's there, the list shows it instead. */
export type Arriving = {
  key: string
  file: File
  folderId: string | null
  sent: number
  state: 'waiting' | 'uploading' | 'paused' | 'reading' | 'failed'
  problem: string | undefined
  /** Refused because too many of the person's uploads are unfinished: removing some helps. */
  isOverLimit: boolean
  /** The id under which the server has all of it. */ assetId: string | undefined
}
export type Uploads = ReturnType<typeof useUploads>

/** How many are sent at the same time; the others wait. */
const AT_ONCE = 3
const FAILED = 'Error uploading file'
const reasonOf = (error: unknown) =>
  isFailure(error) ? (Object.values(error.errors)[0]?.[0] ?? error.detail ?? FAILED) : FAILED

/** Uploads files into the library, with progress, pause and retry for each. Leaving the screen cancels them. */
export function useUploads(ids: ProjectIds) {
  const queries = useQueryClient()
  const [list, show] = useState<readonly Arriving[]>([])
  const now = useRef(list)
  const running = useRef(new Map<string, RunningUpload>())
  const arrived = useRef(0)

  // what is read after a wait must be the current list
  const put = (next: readonly Arriving[]) => {
    now.current = next
    show(next)
  }
  const set = (key: string, part: Partial<Arriving>) =>
    put(now.current.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const find = (key: string) => now.current.find((one) => one.key === key)

  useEffect(() => {
    const { current: uploads } = running
    return () => {
      now.current = []
      for (const upload of uploads.values()) upload.cancel()
    }
  }, [])

  const fillUp = () => {
    const busy = now.current.filter(({ state }) => state === 'uploading' || state === 'reading').length
    for (const one of now.current.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - busy)))
      void send(one)
    if (arrived.current === 0 || now.current.some(({ state }) => state !== 'failed')) return
    toast.success(`${count(arrived.current, 'file')} added`)
    arrived.current = 0
  }
  const fail = (key: string, problem: string) => {
    running.current.delete(key)
    set(key, { state: 'failed', problem })
    fillUp()
  }
  const send = async ({ key, file }: Arriving) => {
    set(key, { state: 'uploading', sent: 0, problem: undefined, isOverLimit: false })
    try {
      const { assetId, uploadUrl } = await call(createUpload, {
        params: ids,
        body: { fileName: file.name, contentType: file.type || 'application/octet-stream', bytes: file.size },
      })
      if (!find(key)) return
      const upload = await startUpload(file, uploadUrl, {
        onProgress: (sent) => set(key, { sent }),
        onDone: () => void settle(key, assetId),
        onFailed: (problem) => fail(key, problem),
        onInterrupted: () => set(key, { problem: LOST }),
        onLost: () => set(key, { state: 'paused', problem: LOST }),
        onBack: () => set(key, { state: 'uploading', problem: undefined }),
      })
      running.current.set(key, upload)
      if (!find(key)) upload.cancel()
    } catch (error) {
      set(key, { isOverLimit: isOverUploadLimit(error) })
      fail(key, reasonOf(error))
    }
  }
  /** The server has read the file: its facts count. */
  const settle = async (key: string, assetId: string) => {
    running.current.delete(key)
    set(key, { state: 'reading', problem: undefined, assetId })
    try {
      const { state, problem } = await call(getAsset, { params: { ...ids, assetId } })
      if (state === 'refused') {
        set(key, { assetId: undefined })
        return fail(key, problem ?? "This file can't be used.")
      }
      const folderId = find(key)?.folderId
      if (folderId) await call(editAsset, { params: { ...ids, assetId }, body: { folderId } })
      arrived.current += 1
      put(now.current.filter((one) => one.key !== key))
      refresh(queries, listAssets, listFolders)
      fillUp()
    } catch (error) {
      fail(key, reasonOf(error))
    }
  }

  return {
    list,
    busy: list.some(({ state }) => state !== 'failed'),
    add(files: readonly File[], folderId: string | null) {
      put([
        ...now.current,
        ...files.map((file): Arriving => ({
          key: crypto.getRandomValues(new Uint32Array(3)).join('-'),
          file,
          folderId,
          sent: 0,
          state: 'waiting',
          problem: undefined,
          isOverLimit: false,
          assetId: undefined,
        })),
      ])
      fillUp()
    },
    pause(key: string) {
      running.current.get(key)?.pause()
      set(key, { state: 'paused' })
      fillUp()
    },
    resume(key: string) {
      running.current.get(key)?.resume()
      set(key, { state: 'uploading', problem: undefined })
    },
    retry(key: string) {
      const assetId = find(key)?.assetId
      // all of it arrived: only what came after that is retried
      if (assetId) void settle(key, assetId)
      else set(key, { state: 'waiting', problem: undefined })
      fillUp()
    },
    remove(key: string) {
      running.current.get(key)?.cancel()
      running.current.delete(key)
      put(now.current.filter((one) => one.key !== key))
      fillUp()
    },
  }
}
