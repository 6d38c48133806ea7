/* Gives cog's headless window a size: that in the file $WPE_SIZE_FILE ("390x844"), followed as it changes.
   cog itself makes it 800x600. Loaded with LD_PRELOAD in front of libwpe's function of the same name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*set_size)(void *backend, uint32_t width, uint32_t height);

extern unsigned g_timeout_add(unsigned ms, int (*run)(void *), void *data) __attribute__((weak));

static void *window;
static uint32_t width, height;

static set_size original(void) { return (set_size)dlsym(RTLD_NEXT, "wpe_view_backend_dispatch_set_size"); }

/* Returns whether the file holds another size than the one that was set last. */
static int changed(void) {
  const char *path = getenv("WPE_SIZE_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  uint32_t w, h;
  int new_size = 0;
  if (!file) return 0;
  if (fscanf(file, "%ux%u", &w, &h) == 2 && (w != width || h != height)) {
    width = w;
    height = h;
    new_size = 1;
  }
  fclose(file);
  return new_size;
}

void wpe_view_backend_dispatch_set_size(void *backend, uint32_t w, uint32_t h) {
  window = backend;
  changed();
  original()(backend, width ? width : w, height ? height : h);
}

static int look(void *data) {
  (void)data;
  if (window && changed()) original()(window, width, height);
  return 1;
}

__attribute__((constructor)) static void start(void) {
  if (getenv("WPE_SIZE_FILE") && g_timeout_add) g_timeout_add(20, look, NULL);
}
