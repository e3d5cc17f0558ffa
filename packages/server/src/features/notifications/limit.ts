import type { NotificationChannel } from '@benchwatch/contract/vocabulary'

/**
 * Limits the single messages that a user gets within an hour, per channel; events above the limit are collected. Pure:
 * the caller counts the messages already sent.
 */
export interface Limits {
  /** 0 means unlimited. */
  email: number
  sms: number
}

/** Messages sent to one user through one channel within the hour. */
export interface Used {
  userId: number
  channel: NotificationChannel
  messages: number
}

export interface Allowance {
  /**
   * Returns true and counts the messages if all of them are within the limit; otherwise returns false and counts none.
   */
  take(wish: Used): boolean
}

export function allowanceOf(limits: Limits, used: readonly Used[]): Allowance {
  const counts = new Map(used.map((one) => [keyOf(one), one.messages]))
  return {
    take(wish) {
      const limit = limits[wish.channel]
      if (limit === 0) return true
      const count = (counts.get(keyOf(wish)) ?? 0) + wish.messages
      if (count > limit) return false
      counts.set(keyOf(wish), count)
      return true
    },
  }
}

function keyOf({ userId, channel }: Pick<Used, 'userId' | 'channel'>): string {
  return `${userId} ${channel}`
}
