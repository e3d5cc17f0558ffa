import { webhookFormats, webhookOccasions } from '@benchwatch/contract/vocabulary'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { bodyOf, type Content, isBodyOf, withRoutingKey } from './formats.ts'

const head = { at: new Date('2026-11-20T14:00:00.000Z'), publicUrl: 'https://console.example.com' }
const event = aServiceEvent({ eventId: '104882', severity: 'high' })
const about = (
  over: Partial<typeof event> = {},
  occasion: Extract<Content, { event: unknown }>['occasion'] = 'event.raised',
) => ({ ...head, occasion, event: { ...event, ...over }, version: 3 }) satisfies Content
const instrument = {
  id: '3',
  instrumentInstalledProductId: 'IP-20431187',
  instrumentProductDescription: 'ÄKTA pilot 600',
  instrumentDefinedSystemName: 'Pilot 2',
  instrumentType: 'AKTAPilot600',
  instrumentStatus: 'ready',
  orcStatus: 'Edge Issue',
  qualifiedSystem: true,
  enterpriseName: 'Helix Biologics',
  siteCity: 'Uppsala',
  siteCountry: 'Sweden',
  siteRegion: 'EMEA',
} as const
const contents: Content[] = [
  ...webhookOccasions.map(
    (occasion): Content =>
      occasion === 'instrument.lost' || occasion === 'instrument.back'
        ? { ...head, occasion, instrument }
        : about({}, occasion),
  ),
  { ...head, occasion: 'test', name: 'Duty' },
]
const read = (text: string) => JSON.parse(text) as Record<string, unknown>

describe('plain JSON', () => {
  it('has type, timestamp and data with the fields of the API, without contacts', () => {
    const { type, timestamp, data } = read(bodyOf('plain', about())) as Record<string, Record<string, unknown>>
    expect({ type, timestamp, url: data?.['url'] }).toEqual({
      type: 'event.raised',
      timestamp: '2026-11-20T14:00:00.000Z',
      url: 'https://console.example.com/events/104882',
    })
    const sent = data?.['event'] as Record<string, unknown>
    expect(sent).toMatchObject({ eventId: '104882', description: event.description, version: 3 })
    expect(Object.keys(sent).filter((field) => /contact|phone|email/i.test(field))).toEqual([])
  })

  it('names an instrument and how it is connected', () => {
    expect(read(bodyOf('plain', { ...head, occasion: 'instrument.lost', instrument }))).toMatchObject({
      type: 'instrument.lost',
      data: { instrument: { orcStatus: 'Edge Issue' }, url: 'https://console.example.com/instruments/3' },
    })
  })
})

describe('Slack', () => {
  it('gets no mention or link from a description', () => {
    const body = bodyOf('slack', about({ description: '<!channel> & <https://evil.example|ok>' }))
    expect(body).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;')
    expect(body).not.toContain('<!channel>')
  })

  it('cuts a long description, never in the middle of a character', () => {
    const body = bodyOf('slack', about({ description: '😀'.repeat(600) }))
    expect(body.isWellFormed() && body.includes('😀…')).toBe(true)
    expect(body.length).toBeLessThan(2000)
  })
})

describe('a Teams card', () => {
  const isMessage = new Ajv({ strict: false }).compile(teamsMessage())

  it.each(contents)('follows the schema of Adaptive Cards 1.4: $occasion', (content) => {
    expect(isMessage(read(bodyOf('teams', content))), JSON.stringify(isMessage.errors)).toBe(true)
  })

  it('shows a description as text that is not Markdown', () => {
    const [attachment] = read(bodyOf('teams', about({ description: '[here](https://evil.example)' })))[
      'attachments'
    ] as { content: { body: { type: string; inlines?: { text: string }[] }[] } }[]
    const block = attachment?.content.body.find(({ inlines }) => inlines?.[0]?.text === '[here](https://evil.example)')
    expect(block?.type).toBe('RichTextBlock')
  })
})

describe('PagerDuty', () => {
  it('triggers, acknowledges and resolves one incident', () => {
    const bodies = (['event.raised', 'event.claimed', 'event.closed'] as const).map((occasion) =>
      read(bodyOf('pagerduty', about({}, occasion))),
    )
    expect(bodies.map((body) => body['event_action'])).toEqual(['trigger', 'acknowledge', 'resolve'])
    expect(new Set(bodies.map((body) => body['dedup_key']))).toEqual(
      new Set(['https://console.example.com/events/104882']),
    )
    expect(bodies[0]?.['payload']).toMatchObject({ severity: 'critical', source: event.instrumentInstalledProductId })
  })

  it('calls nobody for a test', () => {
    expect(read(bodyOf('pagerduty', { ...head, occasion: 'test', name: 'Duty' }))['event_action']).toBe('resolve')
  })

  it('gets the key of the integration only in the request', () => {
    const body = bodyOf('pagerduty', about())
    expect(body).not.toContain('routing_key')
    expect(read(withRoutingKey(body, 'R1'))).toEqual({ routing_key: 'R1', ...read(body) })
  })

  it('gets a summary within its limit', () => {
    const { payload } = read(bodyOf('pagerduty', about({ description: 'x'.repeat(3000) }))) as {
      payload: { summary: string }
    }
    expect(payload.summary.length).toBe(1024)
  })
})

describe('every format', () => {
  it.each(webhookFormats)('is distinguished from the others: %s', (format) => {
    for (const content of contents)
      expect(webhookFormats.filter((other) => isBodyOf(other, bodyOf(format, content)))).toEqual([format])
  })

  it('is JSON for every occasion', () => {
    for (const format of webhookFormats)
      for (const content of contents) expect(read(bodyOf(format, content))).toBeTypeOf('object')
  })
})

/** The parts of a workflow message and of Adaptive Cards 1.4 that we use, with everything else forbidden. */
function teamsMessage() {
  const text = { type: 'string', minLength: 1 }
  const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  })
  const run = object(
    {
      type: { const: 'TextRun' },
      text,
      size: { enum: ['default', 'small', 'medium', 'large', 'extraLarge'] },
      weight: { enum: ['default', 'lighter', 'bolder'] },
    },
    ['type', 'text'],
  )
  const richText = object({ type: { const: 'RichTextBlock' }, inlines: { type: 'array', minItems: 1, items: run } })
  const fact = object({ title: text, value: text })
  const facts = object({ type: { const: 'FactSet' }, facts: { type: 'array', minItems: 1, items: fact } })
  const open = object({ type: { const: 'Action.OpenUrl' }, title: text, url: { type: 'string', pattern: '^https://' } })
  const card = object({
    $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
    type: { const: 'AdaptiveCard' },
    version: { const: '1.4' },
    fallbackText: text,
    body: { type: 'array', minItems: 1, items: { anyOf: [richText, facts] } },
    actions: { type: 'array', items: open },
  })
  const attachment = object({
    contentType: { const: 'application/vnd.microsoft.card.adaptive' },
    contentUrl: { type: 'null' },
    content: card,
  })
  const attachments = { type: 'array', minItems: 1, maxItems: 1, items: attachment }
  return object({ type: { const: 'message' }, attachments })
}
