import { useState } from 'preact/hooks';

/** Where a file is dropped or chosen. */
export function Drop({ name, open }: { name?: string; open: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) open(file);
      }}
    >
      <span>{name ? 'Another file' : 'Drop a CSV file here, or choose one'}</span>{' '}
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) open(file);
        }}
      />
    </label>
  );
}
