import { frameMail, type MailBrand, type MailContent } from './mail-frame.ts'

/** Texts of sign-in e-mails and text messages. Pure functions. */

/** E-mail with the code for setting a new password; valid for `minutes`. */
export function passwordResetMail({ code, minutes }: { code: string; minutes: number }, brand: MailBrand): MailContent {
  return frameMail(
    {
      // Contains no code, because lock screens show subjects.
      subject: `Your verification code for ${brand.product}`,
      preview: `The code is valid for ${minutes} minutes.`,
      heading: 'Set a new password',
      blocks: [
        { kind: 'text', text: 'Enter this verification code on the page where you requested it:' },
        { kind: 'code', code },
        { kind: 'text', text: `The code is valid for ${minutes} minutes and works once.` },
        {
          kind: 'note',
          text: 'If you did not request it, you can ignore this e-mail; your password stays as it is. Our support team will never ask you for this code.',
        },
      ],
    },
    brand,
  )
}

interface Invitation {
  name: string | null
  /** The name that the user types at sign-in. */
  login: string
  temporaryPassword: string
  /** Validity of the temporary password. */
  days: number
}

export function invitationMail({ name, login, temporaryPassword, days }: Invitation, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: `Your account for ${brand.product}`,
      preview: `Sign in within ${days} days with the temporary password in this e-mail.`,
      heading: `Welcome to ${brand.product}`,
      blocks: [
        {
          kind: 'text',
          text: `${name ? `Hello ${name}, an` : 'An'} account has been created for you. Sign in with this temporary password and choose your own in the next step.`,
        },
        {
          kind: 'facts',
          facts: [
            { label: 'User ID', value: login },
            { label: 'Temporary password', value: temporaryPassword },
          ],
        },
        {
          kind: 'text',
          text: `The temporary password is valid for ${days} days. After that, ask your administrator for a new one.`,
        },
      ],
      button: { label: 'Sign in', path: '/login' },
    },
    brand,
  )
}

/**
 * The same if an identity provider keeps the passwords: the account exists, and the organisation's own sign-in opens
 * it.
 */
export function accountReadyMail({ name, login }: Pick<Invitation, 'name' | 'login'>, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: `Your account for ${brand.product}`,
      preview: 'Sign in with your organisation’s account.',
      heading: `Welcome to ${brand.product}`,
      blocks: [
        {
          kind: 'text',
          text: `${name ? `Hello ${name}, an` : 'An'} account has been created for you. Sign in with your organisation’s account.`,
        },
        { kind: 'facts', facts: [{ label: 'User ID', value: login }] },
      ],
      button: { label: 'Sign in', path: '/login' },
    },
    brand,
  )
}

export function passwordChangedMail({ login }: { login: string }, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: `Your password for ${brand.product} was changed`,
      preview: 'If this was not you, contact support at once.',
      heading: 'Your password was changed',
      blocks: [{ kind: 'text', text: `The password for ${login} was just changed.` }, notYou(brand)],
    },
    brand,
  )
}

/** Sentences about changes of a second factor. */
const factorChanges = {
  'sms-on': 'Signing in now requires a code that is sent to your mobile phone.',
  'sms-off': 'Signing in no longer requires a code that is sent to your mobile phone.',
  'app-on': 'Signing in now requires a code from your authenticator app.',
  'app-off': 'Signing in no longer requires a code from your authenticator app.',
  'recovery-codes': 'New recovery codes were generated. The old ones no longer work.',
  'recovery-code-used': 'One of your recovery codes was used to sign in. It no longer works.',
  reset: 'An administrator removed your second factor. Signing in now requires only your password.',
} as const

export type FactorChange = keyof typeof factorChanges

export function secondFactorChangedMail(
  { login, change }: { login: string; change: FactorChange },
  brand: MailBrand,
): MailContent {
  return frameMail(
    {
      subject: `How you sign in to ${brand.product} was changed`,
      preview: factorChanges[change],
      heading: 'How you sign in was changed',
      blocks: [
        { kind: 'text', text: factorChanges[change] },
        { kind: 'text', text: `This applies to the account ${login}.` },
        notYou(brand),
      ],
    },
    brand,
  )
}

const notYou = ({ supportEmail }: MailBrand) =>
  ({
    kind: 'note',
    text: `If this was you, you do not need to do anything. If it was not, set a new password and write to ${supportEmail} at once.`,
  }) as const

/**
 * Text message with a code. Its last line lets phones offer the code on the page it is meant for and on no other; they
 * require https.
 */
export function mfaCodeText(
  { code, minutes }: { code: string; minutes: number },
  { product, publicUrl }: Pick<MailBrand, 'product' | 'publicUrl'>,
): string {
  const sentence = `${code} is your ${product} code. It is valid for ${minutes} minutes.`
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' ? `${sentence}\n\n@${hostname} #${code}` : sentence
}
