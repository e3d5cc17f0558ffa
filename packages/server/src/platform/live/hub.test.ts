import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { type Broadcast, LiveHub } from './hub.ts'

/** A socket whose other end reads nothing, so that sent data stay here. */
class StalledSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  send(text: string): void {
    this.bufferedAmount += text.length
  }
  ping = vi.fn()
  terminate = vi.fn(() => {
    this.readyState = 3
  })
  close = vi.fn()
}

const viewer = { userId: 1, sessionId: 's', rights: 'all', subjects: ['user.1', 'customer.*'], maySee: () => true }
let hub: LiveHub

function joined(): StalledSocket {
  const socket = new StalledSocket()
  hub.add(socket as unknown as WebSocket, viewer)
  return socket
}

afterEach(() => {
  hub.close(1012)
  vi.useRealTimers()
})

test('cuts a reader that takes nothing off within a delivery, not after it', () => {
  hub = new LiveHub()
  const socket = joined()
  const long = (seq: number): Broadcast => ({ seq, customerId: 1, userId: null, text: 'x'.repeat(400_000) })
  hub.deliver([1, 2, 3, 4, 5, 6].map(long))
  expect(socket.terminate).toHaveBeenCalledOnce()
  expect(socket.bufferedAmount).toBe(1_200_000)
})

test('gives a line that has gone silent up within a minute, and keeps one that answers', () => {
  vi.useFakeTimers()
  hub = new LiveHub()
  const [silent, answering] = [joined(), joined()]
  answering.ping.mockImplementation(() => answering.emit('pong'))
  vi.advanceTimersByTime(60_000)
  expect(silent.terminate).toHaveBeenCalledOnce()
  expect(answering.terminate).not.toHaveBeenCalled()
})

test('lists the subjects that its users may see, each until its last connection closes', () => {
  const told: string[][] = []
  hub = new LiveHub((subjects) => told.push([...subjects.keys()]))
  const open = (...subjects: string[]) => {
    const socket = new StalledSocket()
    hub.add(socket as unknown as WebSocket, { ...viewer, subjects })
    return socket
  }
  const [first, second] = [open('user.1', 'customer.1'), open('user.2', 'customer.1')]
  open('user.1', 'customer.1')
  first.emit('close')
  first.emit('close')
  second.emit('close')
  expect(told).toEqual([
    ['user.1', 'customer.1'],
    ['user.1', 'customer.1', 'user.2'],
    ['user.1', 'customer.1'],
  ])
})

test('what follows a message to a user waits until every check that it began has ended', () => {
  hub = new LiveHub()
  const socket = joined()
  const sent: string[] = []
  socket.send = (text) => sent.push(text)
  const of = (seq: number, userId: number | null): Broadcast => ({ seq, customerId: 1, userId, text: String(seq) })
  const first = hub.deliver([of(1, null), of(2, 1), of(3, 1), of(4, null)])
  const second = hub.deliver([of(5, 1), of(6, null)])
  expect([first, second].map((delivered) => delivered.map(({ broadcast }) => broadcast.seq))).toEqual([[2, 3], [5]])
  expect(sent).toEqual(['1', '2'])
  hub.release(new Set([viewer]))
  expect(sent).toEqual(['1', '2'])
  hub.release(new Set([viewer]))
  hub.deliver([of(7, null)])
  expect(sent).toEqual(['1', '2', '3', '4', '5', '6', '7'])
})
