import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConsoleChannel } from './console-channel.ts'

const origin = window.location.origin
const inAnHour = () => Date.now() + 3_600_000
let around: { postMessage: ReturnType<typeof vi.fn> }

beforeEach(() => {
  around = { postMessage: vi.fn() }
  vi.spyOn(window, 'parent', 'get').mockReturnValue(around as unknown as Window)
})
afterEach(() => vi.restoreAllMocks())

function hear(data: unknown, from: { origin?: string; source?: unknown } = {}) {
  const event = new MessageEvent('message', { data, origin: from.origin ?? origin })
  Object.defineProperty(event, 'source', { value: 'source' in from ? from.source : around })
  window.dispatchEvent(event)
}

/** Returns the state of a promise once all pending microtasks and timers have run. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 0, 'waiting'))])
}

describe('the channel to the console', () => {
  it('has a token until shortly before its end', () => {
    const ends = (inSeconds: number) =>
      new ConsoleChannel({ token: 'a', expiresAt: Date.now() + inSeconds * 1000 }).credentials.token()
    expect([ends(300), ends(21), ends(19), ends(-1)]).toEqual(['a', 'a', null, null])
    expect(new ConsoleChannel(null).credentials.token()).toBeNull()
  })

  it('asks for another once for all who wait, of its own origin alone', async () => {
    const { credentials } = new ConsoleChannel(null)
    const waiting = Promise.all([credentials.renew(), credentials.renew()])
    expect(around.postMessage.mock.calls).toEqual([[{ kind: 'kpi-pass-wanted' }, origin]])
    hear({ kind: 'kpi-pass', pass: { token: 'b', expiresAt: inAnHour() } })
    expect(await waiting).toEqual(['b', 'b'])
    expect(credentials.token()).toBe('b')
    void credentials.renew()
    expect(around.postMessage).toHaveBeenCalledTimes(2)
  })

  it('hears nothing of another origin or another window', async () => {
    const channel = new ConsoleChannel(null)
    const onQuestion = vi.fn()
    channel.listen({ onQuestion, onEnd: vi.fn() })
    const token = channel.credentials.renew()
    const pass = { kind: 'kpi-pass', pass: { token: 'stolen', expiresAt: inAnHour() } }
    hear(pass, { origin: 'https://elsewhere.example' })
    hear(pass, { source: window })
    hear({ kind: 'kpi-question', search: { days: '7' } }, { origin: 'https://elsewhere.example' })
    expect([await stateOf(token), channel.credentials.token()]).toEqual(['waiting', null])
    expect(onQuestion).not.toHaveBeenCalled()
  })

  it('reports why a token could not be fetched, and that there is none any more', async () => {
    const { credentials } = new ConsoleChannel(null)
    const refused = credentials.renew()
    hear({ kind: 'kpi-pass-failed', reason: 'The server could not be reached.' })
    await expect(refused).rejects.toThrow('The server could not be reached.')
    const over = credentials.renew()
    hear({ kind: 'kpi-pass', pass: null })
    expect(await over).toBeNull()
  })

  it('has nobody to ask where the page was opened by itself', async () => {
    vi.mocked(vi.spyOn(window, 'parent', 'get')).mockReturnValue(window as Window & typeof globalThis)
    expect(await new ConsoleChannel(null).credentials.renew()).toBeNull()
  })

  it('passes on what the address of the console requests, but not its own selection', () => {
    const channel = new ConsoleChannel(null)
    const onQuestion = vi.fn()
    channel.listen({ onQuestion, onEnd: vi.fn() })
    channel.ask({ range: { days: 90 }, customers: [] })
    expect(around.postMessage).toHaveBeenLastCalledWith({ kind: 'kpi-asked', search: { days: '90' } }, origin)
    hear({ kind: 'kpi-question', search: { days: '90' } })
    expect(onQuestion).not.toHaveBeenCalled()
    hear({ kind: 'kpi-question', search: {} })
    hear({ kind: 'kpi-question', search: { days: '90' } })
    expect(onQuestion.mock.calls).toEqual([
      [{ range: { days: 30 }, customers: [] }],
      [{ range: { days: 90 }, customers: [] }],
    ])
  })
})
