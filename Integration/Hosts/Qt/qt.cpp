// Qt is the host: a QSocketNotifier on the run loop's descriptor. With QT_NO_GLIB=1 Qt knows nothing of GLib. Without, Qt
// lives in GLib's default context itself, and with it the main run loop; the notifier is of no use then, and does no harm.
// rule: R11
#include "../polled.h"

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

static void after(unsigned milliseconds, void (*call)(void)) {
  QTimer::singleShot(int(milliseconds), Qt::PreciseTimer, call);
}

static void quit() { QCoreApplication::quit(); }

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  const bool is_glib = application.eventDispatcher()->inherits("QEventDispatcherGlib");
  if (is_glib == qEnvironmentVariableIsSet("QT_NO_GLIB")) {
    g_printerr("Qt: the event dispatcher is %s\n", application.eventDispatcher()->metaObject()->className());
    return 1;
  }
  // Each turn of a context that GLib drives is one after which a host would have to look.
  const PolledHost host = {is_glib ? "Qt in GLib" : "Qt", after, quit, is_glib ? 4u : 0u};
  QSocketNotifier notifier(polled_begin(&host), QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, [] { polled_turn(); });
  // Qt's call-backs may begin work of GLib's. Where GLib is the host, it sees to that.
  if (!is_glib) {
    QObject::connect(application.eventDispatcher(), &QAbstractEventDispatcher::aboutToBlock,
                     [] { grunloop_iterate(grunloop_get_current()); });
  }
  application.exec();
  return polled_end();
}
