// A method call between two processes through GDBus: over a socket of their own, or through a message bus.
#include <gio/gio.h>
#include "bench.h"
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define PEER "gdbus"
#define NAME "org.example.Bench"
#define PATH "/org/example/Bench"

static peer_clock C;
extern char **environ;

static void call(GDBusConnection *c, const char *s, const char *p, const char *i, const char *m, GVariant *arguments,
                 GDBusMethodInvocation *invocation, void *user) {
    (void)c; (void)s; (void)p; (void)i; (void)m; (void)user;
    g_dbus_method_invocation_return_value(invocation, arguments);
}

static void serve(GDBusConnection *connection) {
    static const GDBusInterfaceVTable table = { .method_call = call };
    const char *xml = "<node><interface name='" NAME "'><method name='Echo'><arg type='ay' direction='in'/>"
                      "<arg type='ay' direction='out'/></method></interface></node>";
    GDBusNodeInfo *info = g_dbus_node_info_new_for_xml(xml, NULL);
    g_dbus_connection_register_object(connection, PATH, info->interfaces[0], &table, NULL, NULL, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}

static GDBusConnection *over_socket(int fd, GDBusConnectionFlags side) {
    GSocketConnection *stream = g_socket_connection_factory_create_connection(g_socket_new_from_fd(fd, NULL));
    char *guid = g_dbus_generate_guid();
    return g_dbus_connection_new_sync(G_IO_STREAM(stream), side & G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER ? guid : NULL,
                                      side, NULL, NULL, NULL);
}

static GDBusConnection *pair(void) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) exit(2);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(fds[0]);
        serve(over_socket(fds[1], G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER));
    }
    close(fds[1]);
    return over_socket(fds[0], G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT);
}

static GDBusConnection *bus(void) {
    char *serve_arguments[] = { "gdbus", "serve", NULL };
    pid_t process;
    if (posix_spawn(&process, "/proc/self/exe", NULL, NULL, serve_arguments, environ) != 0) exit(2);
    return g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
}

static GVariant *echo(GDBusConnection *connection, const char *name, const void *bytes, size_t size) {
    GVariant *array = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bytes, size, 1);
    return g_dbus_connection_call_sync(connection, name, PATH, NAME, "Echo", g_variant_new_tuple(&array, 1), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, 10000, NULL, NULL);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!strcmp(argv[1], "serve")) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        GDBusConnection *connection = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
        g_bus_own_name_on_connection(connection, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
        serve(connection);
    }
    uint64_t target = peer_arg(argc, argv, 2, 20000), size = peer_arg(argc, argv, 3, 16);
    const char *v = peer_sarg(argc, argv, 4, "pair");
    char params[200];
    snprintf(params, sizeof params, "\"M\":%lu,\"bytes\":%lu,\"variant\":\"%s\"", target, size, v);
    peer_setup(PEER, argv[1], params);
    bool has_bus = !strcmp(v, "bus");
    GTestDBus *daemon = NULL;
    if (has_bus) g_test_dbus_up(daemon = g_test_dbus_new(G_TEST_DBUS_NONE));
    GDBusConnection *connection = has_bus ? bus() : pair();
    const char *name = has_bus ? NAME : NULL;
    char *bytes = calloc(1, size);
    GVariant *first;
    while (!(first = echo(connection, name, bytes, size))) g_usleep(1000);
    g_variant_unref(first);
    uint64_t count = 0;
    peer_begin(&C);
    for (; count < target && !peer_over_budget(&C, count, 63); count++) {
        GVariant *answer = echo(connection, name, bytes, size);
        if (!answer) return 1;
        g_variant_unref(answer);
    }
    peer_end(&C);
    peer_emit(&C, count, "");
    /* The servers end with this process; the daemon does not. */
    if (daemon) g_test_dbus_stop(daemon);
    return 0;
}
