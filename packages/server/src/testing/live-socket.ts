import type { AddressInfo } from 'node:net'
import { type LiveMessage, liveMessage } from '@benchwatch/contract/live'
import { type ClientOptions, WebSocket } from 'ws'
import type { Caller, TestApp } from './test-app.ts'

/** A live connection as a browser opens it. */
export interface LiveSocket {
  /** The next message, validated against the contract. Rejects if the connection closes first. */
  next(): Promise<LiveMessage>
  /** The next raw text outside the contract, such as `pong`. */
  nextText(): Promise<string>
  send(text: string): void
  close(): void
  /** The close code of the connection. */
  closed: Promise<number>
}

/**
 * Opens a live connection to a listening app with a token of this caller; `query` and `options` override the defaults.
 */
export async function openLive(
  app: TestApp,
  caller: Caller,
  { after, options }: { after?: number | string; options?: ClientOptions } = {},
): Promise<LiveSocket> {
  const { body } = await caller.call('createLiveToken')
  const query = new URLSearchParams({ token: body.token, ...(after !== undefined && { after: String(after) }) })
  return openLiveAddress(app, `?${query.toString()}`, options)
}

/** Opens a live connection with any query. */
export function openLiveAddress(app: TestApp, query: string, options: ClientOptions = {}): LiveSocket {
  const { port } = app.app.http.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live${query}`, options)
  const arrived: string[] = []
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = []
  let end: number | undefined
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    const first = waiting.shift()
    if (first) first.resolve(text)
    else arrived.push(text)
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', (code) => {
      end = code
      for (const { reject } of waiting.splice(0)) reject(new Error(`closed with ${code}`))
      resolve(code)
    })
  })
  const nextText = () => {
    const text = arrived.shift()
    if (text !== undefined) return Promise.resolve(text)
    if (end !== undefined) return Promise.reject(new Error(`closed with ${end}`))
    return new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }))
  }
  return {
    next: async () => liveMessage.parse(JSON.parse(await nextText())),
    nextText,
    send: (text) => socket.send(text),
    close: () => socket.close(),
    closed,
  }
}
