import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { type Broadcast, LiveHub } from '../../platform/live/hub.ts'
import { joinLive } from './join-live.ts'

/** What only luck would bring about on a real line: messages that arrive exactly while the past is being read. */

let hub: LiveHub
let sent: string[]
let socket: WebSocket

beforeEach(() => {
  hub = new LiveHub()
  sent = []
  socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string) => sent.push(text),
    close: () => undefined,
  }) as unknown as WebSocket
})
afterEach(() => hub.close(1012))

const messages = (...numbers: number[]): Broadcast[] =>
  numbers.map((seq) => ({ seq, customerId: seq % 10 === 9 ? 2 : 1, userId: null, text: String(seq) }))
const viewer = { userId: 1, sessionId: 's', rights: 'all', maySee: ({ customerId }: Broadcast) => customerId === 1 }
/** The greeting as `ready 10`, messages by their number. */
const received = () =>
  sent.map((text) => {
    if (!text.startsWith('{')) return text
    const { action, seq } = JSON.parse(text) as { action: string; seq: number }
    return `${action} ${seq}`
  })

test('what arrives while the numbers are read is held, and sent once after what was missed', async () => {
  await joinLive({
    hub,
    socket,
    viewer,
    lastSeen: 10,
    past: {
      async range() {
        hub.deliver(messages(12, 13))
        return { last: 13, firstKept: 1 }
      },
      async since(number) {
        expect(number).toBe(10)
        hub.deliver(messages(14, 15))
        return messages(11, 12, 13, 14)
      },
    },
  })
  expect(received()).toEqual(['ready 10', '11', '12', '13', '14', '15'])
})

test('what the fan-out brings later is not sent again when it was among the missed', async () => {
  const past = { range: async () => ({ last: 12, firstKept: 1 }), since: async () => messages(11, 12, 13) }
  await joinLive({ hub, socket, viewer, lastSeen: 10, past })
  hub.deliver(messages(11, 12, 13, 14))
  expect(received()).toEqual(['ready 10', '11', '12', '13', '14'])
})

test('a browser that has read everything gets only what came after the last number', async () => {
  const past = {
    async range() {
      hub.deliver(messages(12, 13))
      return { last: 12, firstKept: 1 }
    },
    since: () => Promise.reject(new Error('nothing was missed')),
  }
  await joinLive({ hub, socket, viewer, lastSeen: null, past })
  hub.deliver(messages(12, 13, 14))
  expect(received()).toEqual(['ready 12', '13', '14'])
})

test('nothing outside the scope is sent, neither missed, nor held, nor new', async () => {
  const past = {
    async range() {
      hub.deliver(messages(19, 20))
      return { last: 20, firstKept: 1 }
    },
    since: async () => messages(9, 10, 19, 20),
  }
  await joinLive({ hub, socket, viewer, lastSeen: 8, past })
  hub.deliver(messages(29, 30))
  expect(received()).toEqual(['ready 8', '10', '20', '30'])
})

test.each([
  ['at the edge of what is kept', 10, { last: 13, firstKept: 11 }, 'ready 10'],
  ['before what is kept', 9, { last: 13, firstKept: 11 }, 'resync 13'],
  ['with nothing kept', 9, { last: 13, firstKept: 0 }, 'resync 13'],
  ['with nothing kept and nothing missed', 13, { last: 13, firstKept: 0 }, 'ready 13'],
  ['in the future', 14, { last: 13, firstKept: 11 }, 'resync 13'],
  ['1,000 behind', 13, { last: 1013, firstKept: 1 }, 'ready 13'],
  ['1,001 behind', 12, { last: 1013, firstKept: 1 }, 'resync 1013'],
])('a browser %s is told so', async (_where, lastSeen, range, hello) => {
  await joinLive({ hub, socket, viewer, lastSeen, past: { range: async () => range, since: async () => [] } })
  expect(received()).toEqual([hello])
})
