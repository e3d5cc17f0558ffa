import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { featuresQuery } from '../users/users.api.ts'

/** Whether all these flags are on for whoever looks; false until that is known, so nothing is asked for in vain. */
export function useFlags(...keys: FeatureKey[]): boolean {
  const { data: on } = useQuery(featuresQuery())
  return keys.every((key) => on?.includes(key) ?? false)
}
