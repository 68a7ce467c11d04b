import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * One root, two entries: the application (`index.html`) and the customers' phone pages
 * (`customer.html`), which must not share a byte they do not need. The phone pages are
 * also built for the server (`vite build --ssr`), which paints their first step.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: path("./web"),
  publicDir: path("./web/public"),
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: path("./web/routes"),
      generatedRouteTree: path("./web/route-tree.gen.ts"),
    }),
    react(),
    tailwindcss(),
  ],
  build: {
    target: "es2022",
    outDir: path(isSsrBuild ? "./dist/ssr" : "./dist/web"),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild
      ? { input: path("./web/customer/entry-server.tsx") }
      : { input: [path("./web/index.html"), path("./web/customer.html")] },
  },
}));
