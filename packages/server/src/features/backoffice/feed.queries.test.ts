import { describe, expect, it } from 'vitest'
import { feedStateOf, type GatewayActivity } from './feed.queries.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const state = (activity: Partial<GatewayActivity>, silenceMs = 90_000) =>
  feedStateOf({ lastSeenAt: now, lagMs: 200, ...activity }, { silenceMs, now })

describe('a gateway is', () => {
  it.each<[string, Partial<GatewayActivity>]>([
    ['never', { lastSeenAt: null, lagMs: null }],
    ['heard', {}],
    ['heard', { lastSeenAt: ago(45) }],
    ['late', { lastSeenAt: ago(46) }],
    ['late', { lastSeenAt: ago(90) }],
    ['silent', { lastSeenAt: ago(91) }],
    ['heard', { lagMs: 300_000 }],
    ['late', { lagMs: 300_001 }],
    ['late', { lagMs: -300_001 }],
    ['heard', { lagMs: null }],
  ])('%s: %j', (expected, activity) => expect(state(activity)).toBe(expected))

  it('never silent where nobody watches gateways', () => {
    expect(state({ lastSeenAt: ago(86_400) }, 0)).toBe('heard')
  })
})
