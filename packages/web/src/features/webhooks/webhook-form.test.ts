import type { Webhook } from '@benchwatch/contract/messages/webhooks'
import { describe, expect, it } from 'vitest'
import { emptyWebhook, occasionsFor, webhookForm, webhookInput, webhookProblems } from './webhook-form.ts'

const { notifyEmail: _email, notifySms: _sms, ...filter } = emptyWebhook.filter
const stored: Webhook = {
  id: '1',
  name: 'Duty',
  url: 'https://example.com/hooks',
  host: 'example.com',
  format: 'pagerduty',
  hasRoutingKey: true,
  occasions: ['event.raised', 'event.closed'],
  filter: { ...filter, severity: ['high'] },
  isOn: true,
  state: 'on',
  pausedUntil: null,
  waiting: 0,
  parked: 0,
  lastSentAt: null,
  previousSecretUntil: null,
  createdAt: '2026-11-20T14:00:00.000Z',
  isOwn: true,
  ownerName: 'Sara Support',
}

describe('the form of a webhook', () => {
  it('sends what was stored if nothing was edited, and keeps the key of PagerDuty', () => {
    const { name, url, format, occasions, isOn } = stored
    const body = { name, url, format, occasions, isOn, filter: stored.filter, routingKey: null }
    expect(webhookInput(webhookForm(stored))).toEqual(body)
  })

  it('sends no key in another format', () => {
    expect(webhookInput({ ...webhookForm(stored), routingKey: 'R1', format: 'slack' }).routingKey).toBeNull()
    expect(webhookInput({ ...webhookForm(stored), routingKey: ' R1 ' }).routingKey).toBe('R1')
  })

  it('names the fields that are missing', () => {
    const empty = { ...emptyWebhook, format: 'pagerduty' as const, occasions: [] }
    expect(Object.keys(webhookProblems(empty, { hasKey: false }))).toEqual(['name', 'url', 'occasions', 'routingKey'])
    expect(webhookProblems(webhookForm(stored), { hasKey: true })).toEqual({})
  })
})

describe('PagerDuty', () => {
  it('gets ends together with beginnings, and nothing that it cannot express', () => {
    expect(occasionsFor('pagerduty', ['event.raised', 'event.cleared', 'instrument.back'])).toEqual([
      'event.raised',
      'event.closed',
      'instrument.lost',
      'instrument.back',
    ])
    expect(occasionsFor('slack', ['event.cleared'])).toEqual(['event.cleared'])
  })
})
