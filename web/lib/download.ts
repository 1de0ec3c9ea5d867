import { useMutation } from '@tanstack/react-query'
import { failureOf, networkFailure, type ApiFailure } from './failure.ts'
import { saveFile } from './saveFile.ts'

type Wanted = { /** What `addressOf` returns. */ address: string; name: string; type: string }

/**
 * Saves a file that the server makes when it's asked for, which can take a while or be refused: the button says so, and the page
 * stays. Files that are just there are links instead.
 */
export const useDownload = () =>
  useMutation<void, ApiFailure, Wanted>({
    mutationFn: async ({ address, name, type }) => {
      const response = await fetch(address, { credentials: 'include' }).catch((cause: unknown) => {
        throw networkFailure(cause)
      })
      if (!response.ok) throw await failureOf(response)
      saveFile(name, await response.blob(), type)
    },
  })
