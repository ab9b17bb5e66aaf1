import { useQuery } from '@tanstack/react-query'
import { realmKey, useRealm } from '../../realm.tsx'
import { type Chosen, EndDialog } from '../member/endings.tsx'
import type { Reserved } from './columns.tsx'

type EndProps<T> = {
  readonly chosen: Chosen<Reserved<T>> | undefined
  readonly onClose: () => void
}

/** Ends a hold or an award; the preview compares with its member as it is now. */
export function EndReserved<T>({ chosen, onClose }: EndProps<T>) {
  const { id: realm, client } = useRealm()
  const member = chosen?.one.memberId ?? ''
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'end', 'member', member],
    enabled: member !== '',
    gcTime: 0,
    staleTime: 0,
    queryFn: () => client.member(member).get(),
  })
  return <EndDialog chosen={chosen} member={data} onClose={onClose} />
}
