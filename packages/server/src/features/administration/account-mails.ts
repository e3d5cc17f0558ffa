import type { Config } from '../../config.ts'
import { TEMPORARY_PASSWORD_DAYS } from '../auth/temporary-password.ts'
import { accountReadyMail, type FactorChange, invitationMail, secondFactorChangedMail } from '../messages/mail-texts.ts'
import type { WayIn } from './way-in.ts'

type Brand = Pick<Config, 'product' | 'publicUrl' | 'supportEmail'>

/** The mail that lets somebody in for the first time, or again. */
export function invitation({ login, name, way }: { login: string; name: string | null; way: WayIn }, brand: Brand) {
  const head = { channel: 'email', to: login } as const
  if (way.password === null) return { ...head, ...accountReadyMail({ name, login }, brand), template: 'account-ready' }
  return {
    ...head,
    ...invitationMail({ name, login, temporaryPassword: way.password, days: TEMPORARY_PASSWORD_DAYS }, brand),
    template: 'invitation',
    isSecret: true,
    // Of no use once the password has run out.
    giveUpAt: way.stored.temporaryPasswordUntil,
  }
}

/** Tells somebody that an administrator changed how they sign in. */
export function factorNotice({ login, change }: { login: string; change: FactorChange }, brand: Brand) {
  return {
    channel: 'email',
    to: login,
    ...secondFactorChangedMail({ login, change }, brand),
    template: 'second-factor-changed',
  } as const
}
