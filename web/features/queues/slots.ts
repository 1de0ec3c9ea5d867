import type { QueueSlot } from '#contract/queues.ts'

export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export const weekdays = [1, 2, 3, 4, 5]
export const everyDay = [0, 1, 2, 3, 4, 5, 6]
type Slots = readonly QueueSlot[]

/** The slots with one at this time on each of these days; existing ones stay as they are. */
export function withSlots(slots: Slots, time: string, on: readonly number[]): QueueSlot[] {
  return inOrder([...slots, ...on.map((day) => ({ day, time }))])
}

export function withoutSlot(slots: Slots, slot: QueueSlot): QueueSlot[] {
  return slots.filter(({ day, time }) => day !== slot.day || time !== slot.time)
}

/** The other days get exactly the times of this one. */
export function withDayCopied(slots: Slots, from: number, to: readonly number[]): QueueSlot[] {
  const times = slots.filter(({ day }) => day === from).map(({ time }) => time)
  const kept = slots.filter(({ day }) => day === from || !to.includes(day))
  return inOrder([...kept, ...to.filter((day) => day !== from).flatMap((day) => times.map((time) => ({ day, time })))])
}

/** By day and time, each once. */
function inOrder(slots: Slots): QueueSlot[] {
  const keyOf = ({ day, time }: QueueSlot) => `${day} ${time}`
  return [...new Map(slots.map((slot) => [keyOf(slot), slot])).values()].toSorted((a, b) =>
    keyOf(a).localeCompare(keyOf(b)),
  )
}
