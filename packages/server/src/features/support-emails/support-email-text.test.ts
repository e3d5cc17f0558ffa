import { describe, expect, it } from 'vitest'
import { supportEmailMail, unsubscribeHeaders, waitingEmailsMail } from './support-email-mails.ts'
import { fillTemplate, type MailFacts, type TemplateTexts } from './support-email-text.ts'

const facts: MailFacts = {
  eventId: 104882,
  templateId: 'U9-M-2011',
  contactName: 'Maria Öberg',
  productDescription: 'ÄKTA pilot 600',
  systemName: 'PILOT-UPP-02',
  installedProductId: 'IP-20431187',
  componentName: 'UV monitor (U9-M)',
  description: 'The lamp is weak',
  userMessage: null,
  customer: 'Helix Biologics',
  city: 'Uppsala',
  country: 'Sweden',
  logGeneratedAt: new Date('2026-11-20T13:58:00.000Z'),
  timeZone: 'Europe/Stockholm',
}
const template: TemplateTexts = {
  subject: '{instrument}: lamp',
  body: 'Dear {contactName},\n\n{description}\n\n{troubleshooting}\n\n{userMessage}\n\nSee https://help.example/{errorCode}.',
  troubleshooting: '<ul><li>Clean the <b>cell</b></li></ul>',
}
const brand = {
  product: 'Benchwatch',
  publicUrl: 'https://console.example.com',
  supportEmail: 'support@benchwatch.example',
}
const fill = (over: Partial<TemplateTexts>, of: Partial<MailFacts> = {}) =>
  fillTemplate({ ...template, ...over }, { ...facts, ...of })

describe('a filled template', () => {
  it('says each value; troubleshooting as text, and with its structure in HTML', () => {
    expect(fill({})).toEqual({
      subject: 'ÄKTA pilot 600: lamp',
      body: 'Dear Maria Öberg,\n\nThe lamp is weak\n\n- Clean the cell\n\nSee https://help.example/2011.',
      html: '<p>Dear Maria Öberg,</p>\n<p>The lamp is weak</p>\n<ul><li>Clean the <b>cell</b></li></ul>\n<p>See <a href="https://help.example/2011" rel="noopener">https://help.example/2011</a>.</p>',
    })
  })

  it.each([
    ['{systemName} {installedProductId}', 'PILOT-UPP-02 IP-20431187'],
    ['{component} {errorCode} {eventId}', 'UV monitor (U9-M) 2011 ORC-104882'],
    ['{customer}, {location}', 'Helix Biologics, Uppsala, Sweden'],
    ['{date}', '20-Nov-2026 14:58 (Europe/Stockholm)'],
  ])('%s', (body, text) => {
    expect(fill({ body }).body).toBe(text)
  })

  it('says something where an instrument or a contact lacks it', () => {
    const body = '{contactName} {systemName} {location} {troubleshooting}.'
    const lacking = { contactName: null, systemName: null, city: null, country: null }
    expect(fill({ body, troubleshooting: null }, lacking).body).toBe('customer – – .')
  })

  it('takes values as text: no HTML, no further placeholders, no line in a subject', () => {
    const evil = '<img src=x onerror=alert(1)>\r\nBcc: all@x.example\u0007 {contactName} {troubleshooting}'
    const { subject, body, html } = fill({ subject: '{description}', body: '{description}' }, { description: evil })
    expect(subject).toBe('<img src=x onerror=alert(1)> Bcc: all@x.example {contactName} {troubleshooting}')
    expect(body).toBe('<img src=x onerror=alert(1)>\nBcc: all@x.example  {contactName} {troubleshooting}')
    expect(html).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt;<br>Bcc: all@x.example  {contactName} {troubleshooting}</p>',
    )
  })

  it('has a subject of at most 200 characters, as people count them', () => {
    const { subject } = fill({ subject: '{description}' }, { description: '👩‍🔬'.repeat(300) })
    expect([...new Intl.Segmenter().segment(subject)]).toHaveLength(200)
    expect(subject.endsWith('👩‍🔬…')).toBe(true)
  })
})

describe('an e-mail', () => {
  const part = { facts, texts: fill({}), token: 'A'.repeat(43) }

  it('carries the texts, what it is about, and the link that ends it, in both parts', () => {
    const { subject, text, html } = supportEmailMail(part, brand)
    expect(subject).toBe('ÄKTA pilot 600: lamp')
    for (const said of [
      'Dear Maria Öberg',
      'Warning number',
      'U9-M-2011',
      'ORC-104882',
      'UV monitor (U9-M)',
      'the contact for',
    ]) {
      expect(text).toContain(said)
      expect(html).toContain(said)
    }
    expect(text).toContain(`Unsubscribe from this warning: https://console.example.com/unsubscribe?token=${part.token}`)
    expect(html).toContain(`href="https://console.example.com/unsubscribe?token=${part.token}"`)
    expect(html).toMatch(/<li class="ink" style="[^"]+">Clean the <b>cell<\/b>/)
  })

  it('names the address that a mail program’s own button posts to', () => {
    expect(unsubscribeHeaders(part.token, brand)).toEqual({
      'List-Unsubscribe': `<https://console.example.com/api/unsubscribe/one-click?token=${part.token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  it('lists what waited, each with its texts and a link of its own', () => {
    const other = {
      facts: { ...facts, eventId: 7, description: '<b>Second</b>' },
      texts: fill({}, { description: '<b>Second</b>' }),
      token: 'B'.repeat(43),
    }
    const { subject, text, html } = waitingEmailsMail([part, other], brand)
    expect(subject).toBe('2 messages about ÄKTA pilot 600 (IP-20431187)')
    for (const said of [`token=${part.token}`, `token=${other.token}`, 'The lamp is weak', 'ORC-7']) {
      expect(text).toContain(said)
      expect(html).toContain(said)
    }
    expect(html).toContain('&lt;b&gt;Second')
    const elsewhere = { ...other, facts: { ...other.facts, installedProductId: 'IP-2' } }
    expect(waitingEmailsMail([part, elsewhere], brand).subject).toBe('2 messages about your instruments')
  })
})
