import { describe, expect, it } from 'vitest'
import { frameMail } from './mail-frame.ts'
import {
  invitationMail,
  mfaCodeText,
  passwordChangedMail,
  passwordResetMail,
  secondFactorChangedMail,
} from './mail-texts.ts'

const brand = {
  product: 'Bench & Co',
  publicUrl: 'https://console.example.com',
  supportEmail: 'support@benchwatch.example',
}
const evil = `<script>alert("1")</script>'&`

describe('an e-mail', () => {
  it('with a code says how long it is good, and keeps it out of the subject', () => {
    const { subject, text, html } = passwordResetMail({ code: '481516', minutes: 10 }, brand)
    expect(subject).toBe('Your verification code for Bench & Co')
    for (const part of [text, html]) {
      expect(part).toContain('481516')
      expect(part).toContain('The code is valid for 10 minutes')
    }
  })

  it('of invitation leads to the sign-in page with user name and temporary password', () => {
    const mail = { name: 'Ada', login: 'ada@helixbio.example', temporaryPassword: 'Xk3-vTq9!', days: 7 }
    const { text, html } = invitationMail(mail, brand)
    expect(text).toContain('User ID: ada@helixbio.example\nTemporary password: Xk3-vTq9!')
    expect(text).toContain('Sign in: https://console.example.com/login')
    expect(html).toContain('href="https://console.example.com/login"')
    for (const part of [text, html]) expect(part).toContain('valid for 7 days')
    expect(invitationMail({ ...mail, name: null }, brand).text).toContain('\n\nAn account has been created for you.')
  })

  it('of a change names the address for questions', () => {
    const mails = [
      passwordChangedMail({ login: 'ada@helixbio.example' }, brand),
      secondFactorChangedMail({ login: 'ada@helixbio.example', change: 'app-off' }, brand),
    ]
    for (const { text, html } of mails) {
      expect(text).toContain('ada@helixbio.example')
      expect(html).toContain('write to support@benchwatch.example at once')
    }
  })

  it('shows every value as text, never as markup', () => {
    const { html } = invitationMail(
      { name: evil, login: evil, temporaryPassword: evil, days: 7 },
      { ...brand, product: evil, supportEmail: `"${evil}` },
    )
    expect(html).not.toContain('<script')
    expect(html).not.toContain(`'&`)
    expect(html.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&#39;&amp;/g)?.length).toBeGreaterThan(6)
  })

  it('has a subject of one line', () => {
    const body = { preview: '', heading: '', blocks: [] }
    expect(frameMail({ ...body, subject: 'Pump\r\nBcc: a@b.example\u0000\u2028x ' }, brand).subject).toBe(
      'Pump Bcc: a@b.example x',
    )
  })

  it('consists of tables and inline styles, supports dark backgrounds, and loads nothing', () => {
    const { html } = passwordResetMail({ code: '481516', minutes: 10 }, brand)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme:dark)')
    expect(html).toContain('max-width:600px')
    expect(html).not.toMatch(/<img|<link|<script|url\(|flex|grid/)
  })
})

describe('the text message with a code', () => {
  it('has a phone offer the code on the page it is meant for', () => {
    expect(mfaCodeText({ code: '123456', minutes: 3 }, brand)).toBe(
      '123456 is your Bench & Co code. It is valid for 3 minutes.\n\n@console.example.com #123456',
    )
  })

  it('has no such line without https', () => {
    expect(mfaCodeText({ code: '123456', minutes: 3 }, { ...brand, publicUrl: 'http://localhost:8080' })).toBe(
      '123456 is your Bench & Co code. It is valid for 3 minutes.',
    )
  })
})
