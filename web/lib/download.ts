import { useMutation } from '@tanstack/react-query'
import { failureOf, networkFailure, type ApiFailure } from './failure.ts'
import { saveFile } from './saveFile.ts'

type Wanted = {
  /** What `addressOf` returns. */ address: string
  /** If the server names it otherwise, that counts. */ name: string
}

/**
 * Saves a file that the server makes when it's asked for, which can take a while or be refused: the button says so, and the page
 * stays. Files that are just there are links instead.
 */
export const useDownload = () =>
  useMutation<void, ApiFailure, Wanted>({
    mutationFn: async ({ address, name }) => {
      const response = await fetch(address, { credentials: 'include' }).catch((cause: unknown) => {
        throw networkFailure(cause)
      })
      if (!response.ok) throw await failureOf(response)
      const type = response.headers.get('content-type') ?? 'application/octet-stream'
      saveFile(fileNameIn(response.headers.get('content-disposition')) ?? name, await response.blob(), type)
    },
  })

/** The file's name in a header, as RFC 6266 writes those with other letters: `filename*=UTF-8''Caf%C3%A9.pdf`. */
export function fileNameIn(header: string | null): string | undefined {
  const name = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1]
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}
