import { QueryClient } from '@tanstack/react-query'
import { asksAgain } from '../lib/http.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: without internet access the server may still be reachable in the local network.
      queries: { retry: (failures, error) => failures < 2 && asksAgain(error), networkMode: 'always', staleTime: 5000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
