import type { NotificationChannel } from '@benchwatch/contract/vocabulary'

/**
 * How many messages of their own somebody gets within an hour, by each way; what comes above is collected. Pure: what was
 * sent within the hour is counted by the caller.
 */
export interface Limits {
  /** 0: as many as there are. */
  email: number
  sms: number
}

/** Messages that left for one user by one way within the hour. */
export interface Used {
  userId: number
  channel: NotificationChannel
  messages: number
}

export interface Allowance {
  /** Whether so many messages more are within the limit, and counts them if they are; all of them or none. */
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
