import { useEffect, useRef, useState } from 'react'
import { createUpload, getAsset } from '#contract/media.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { LOST, startUpload, type RunningUpload } from '#web/lib/upload.ts'

const FAILED = 'Error uploading file'
const reasonOf = (error: unknown) =>
  isFailure(error) ? (Object.values(error.errors)[0]?.[0] ?? error.detail ?? FAILED) : FAILED
export type ChosenPicture = { assetId: string; url: string | null }
type Sending = { name: string; sent: number; bytes: number }

/** Uploads one picture, with its progress; another file replaces it. Leaving the page cancels it. */
export function usePictureUpload(onDone: (picture: ChosenPicture) => void) {
  const ids = useProjectIds()
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<RunningUpload>(undefined)
  const turn = useRef(0)
  const cancel = () => {
    turn.current += 1
    running.current?.cancel()
    running.current = undefined
    setSending(undefined)
  }
  useEffect(
    () => () => {
      turn.current += 1
      running.current?.cancel()
    },
    [],
  )
  const upload = async (file: File) => {
    cancel()
    const mine = turn.current
    const isMine = () => turn.current === mine
    const fail = (reason: string) => {
      if (!isMine()) return
      setSending(undefined)
      setProblem(reason)
    }
    if (!file.type.startsWith('image/')) return setProblem('Choose an image, such as JPEG, PNG or WebP.')
    setProblem(undefined)
    setSending({ name: file.name, sent: 0, bytes: file.size })
    const settle = async (assetId: string) => {
      try {
        const {
          state,
          problem: refusal,
          contentType,
          previewUrl,
          url,
        } = await call(getAsset, {
          params: { ...ids, assetId },
        })
        if (!isMine()) return
        if (state === 'refused' || !contentType.startsWith('image/'))
          return fail(refusal ?? "This file can't be used. Choose an image.")
        setSending(undefined)
        onDone({ assetId, url: previewUrl ?? url })
      } catch (error) {
        fail(reasonOf(error))
      }
    }
    try {
      const { assetId, uploadUrl } = await call(createUpload, {
        params: ids,
        body: { fileName: file.name, contentType: file.type, bytes: file.size },
      })
      if (!isMine()) return
      const started = await startUpload(file, uploadUrl, {
        onProgress: (sent) => (isMine() ? setSending({ name: file.name, sent, bytes: file.size }) : undefined),
        onDone: () => void settle(assetId),
        onFailed: fail,
        onInterrupted: () => (isMine() ? setProblem(LOST) : undefined),
        onBack: () => (isMine() ? setProblem(undefined) : undefined),
      })
      if (isMine()) running.current = started
      else started.cancel()
    } catch (error) {
      fail(reasonOf(error))
    }
  }
  return { sending, problem, upload, cancel }
}
