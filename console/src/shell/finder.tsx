export function Finder({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      x
    </button>
  )
}
