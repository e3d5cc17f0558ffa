/** Good requests about the texts of events about lost connections (`access-requests.ts`). */
export const connectionRequests = {
  listConnectionTemplates: () => ({}),
  putConnectionTemplate: () => ({
    params: { kind: 'OFFLINE' as const },
    body: { severity: 'high' as const, description: '{instrument} is silent', userMessage: null },
  }),
  deleteConnectionTemplate: () => ({ params: { kind: 'OFFLINE' as const } }),
} as const
