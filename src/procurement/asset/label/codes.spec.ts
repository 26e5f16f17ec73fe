import { pictureOfPath, scanCode128, scanQr } from '../../../../test/support/scanner.js';
import { codeOf, contentFault } from './codes.js';

const address = 'https://inventory.example.com/api/assets/8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90';

describe('a QR code', () => {
  it.each(['A', 'AT-004217', address, 'Größe 漢字 😀 עברית', '<script>&"\'', '^FNC1 ^065', 'x'.repeat(512)])(
    'is read back as %p',
    async (content) => {
      const { path, width, height } = await codeOf('qr', content);
      expect(scanQr(pictureOfPath(path, width, height, 4))).toBe(content);
    },
  );
  it('has a quiet zone of four modules on every side', async () => {
    const { path, width, height } = await codeOf('qr', 'A');
    const starts = [...path.matchAll(/M(\d+) (\d+)v1h(\d+)/g)].map((found) => found.slice(1).map(Number));
    expect([width, height]).toEqual([29, 29]);
    expect([Math.min(...starts.map(([x]) => x!)), Math.min(...starts.map(([, y]) => y!))]).toEqual([4, 4]);
    expect(Math.max(...starts.map(([x, , length]) => x! + length!))).toBe(25);
  });
});

describe('a Code 128', () => {
  it.each(['A', 'AT-004217', '0123456789', address, '<script>&"\'', '^FNC1 ^065', '~ {}|', 'x'.repeat(255)])(
    'is read back as %p',
    async (content) => {
      expect(contentFault('code128', 'assetTag', content)).toBeUndefined();
      const { path, width } = await codeOf('code128', content);
      expect(scanCode128(pictureOfPath(path, width, 1, 3))).toBe(content);
    },
  );
  it.each(['AT-é', '漢', 'A\tB', '😀'])('cannot hold %p', (content) => {
    expect(String(contentFault('code128', 'assetTag', content))).toMatch(/^assetTag must consist of ASCII characters/);
    expect(contentFault('qr', 'assetTag', content)).toBeUndefined();
  });
});
