import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { emptyLabel, sentLabel } from './notification-settings.tsx'

type Stopped = Parameters<typeof emptyLabel>[0]['stopped']

const words = (stopped: Stopped, kind: NotificationKind = 'new_event_notification') =>
  emptyLabel({ days: 7, stopped }, { kind, isNotifying: true })

describe('what a preview says', () => {
  it('how many events in the last 7 days, and that the newest of them are shown', () => {
    const values = Array.from({ length: 20 }, () => ({})) as never[]
    expect(sentLabel({ sent: 1401, days: 7, values })).toBe('1,401 events in the last 7 days, the newest 20 of them:')
    expect(sentLabel({ sent: 1, days: 7, values: values.slice(0, 1) })).toBe('1 event in the last 7 days')
    expect(sentLabel({ sent: 0, days: 7, values: [] })).toBe('0 events in the last 7 days')
  })

  it('of nothing, what stopped most', () => {
    expect(
      words([
        { gate: 'instrumentStatus', events: 1988 },
        { gate: 'severity', events: 51 },
      ]),
    ).toBe(
      '1,988 of 2,039 events were excluded by the filter Instrument status. Select more values, or none, to include them.',
    )
    expect(words([{ gate: 'country', events: 3 }])).toContain('All 3 events were excluded by the filter Country.')
    expect(words([{ gate: 'no-address', events: 1 }])).toBe(
      'The only event was excluded by a missing address or number. Select an address above, or ask an administrator to add your mobile number.',
    )
  })

  it('of nothing: that neither channel is on, or that there was no event', () => {
    expect(emptyLabel({ days: 7, stopped: [] }, { kind: 'new_event_notification', isNotifying: false })).toContain(
      'No channel is on',
    )
    expect(words([])).toBe('No event that you can see was raised in the last 7 days.')
    expect(words([], 'assign_me_notification')).toBe('No event was assigned to you in the last 7 days.')
  })
})
