import type { Account } from '@benchwatch/contract/administration'
import type { Role } from '@benchwatch/contract/vocabulary'
import { formatClock } from '../../lib/dates.ts'
import type { StatusTone } from '../../ui/status-mark.tsx'

/** How a user of the console is told in words. */

export const roleWords: Record<Role, string> = {
  customer: 'Customer',
  service: 'Service',
  support: 'Support',
  admin: 'Administrator',
}

export function accountName({ name, userId }: Pick<Account, 'name' | 'userId'>): string {
  return name ?? userId
}

export function accountState({ state, lockedUntil }: Account): { tone: StatusTone; words: string } {
  switch (state) {
    case 'active':
      return { tone: 'good', words: 'Active' }
    case 'invited':
      return { tone: 'waiting', words: 'Invited' }
    case 'locked':
      return { tone: 'warning', words: lockedUntil === null ? 'Locked' : `Locked until ${formatClock(lockedUntil)}` }
    case 'disabled':
      return { tone: 'off', words: 'Disabled' }
  }
}

export function secondFactorWords({ smsMfa, totp }: Pick<Account, 'smsMfa' | 'totp'>): string {
  const factors = [...(totp ? ['App'] : []), ...(smsMfa ? ['SMS'] : [])]
  return factors.length === 0 ? 'None' : factors.join(', ')
}

/** All customers, the names of a few, or how many. */
export function scopeWords(customers: Account['customers']): string {
  if (customers === null) return 'All customers'
  const names = customers.map(({ name }) => name)
  return names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}
