import { useEffect, useState } from 'react'

/** Pictures that were read already, by their address. */
const known = new Map<string, string>()
/** Addresses that were asked for, until they're answered. */
const asked = new Map<string, Promise<void>>()

/**
 * Pictures as data: a frame that may do nothing isn't of our origin for the browser, so it gets no picture that only
 * members of the project may see.
 */
export function usePictureData(urls: readonly string[]): ReadonlyMap<string, string> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, string>>(() => new Map(known))
  const wanted = urls.join('\n')
  useEffect(() => {
    let isHere = true
    for (const url of wanted.split('\n').filter(Boolean)) {
      if (known.has(url)) continue
      const answer = asked.get(url) ?? read(url)
      asked.set(url, answer)
      void answer.then(() => (isHere ? setPictures(new Map(known)) : undefined))
    }
    return () => {
      isHere = false
    }
  }, [wanted])
  return pictures
}

/** Without a picture that can't be read, the page looks as if it had none. */
async function read(url: string): Promise<void> {
  const blob = await fetch(url).then(
    async (reply) => (reply.ok ? await reply.blob() : undefined),
    () => undefined,
  )
  if (!blob) return
  known.set(url, await dataOf(blob))
}

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.readAsDataURL(blob)
  })
