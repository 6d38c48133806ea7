#!/usr/bin/python3
"""A bare WebKitGTK window for WebKitWebDriver: of any size, without a toolbar, the console's messages on stdout."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
context.set_cache_model(WebKit2.CacheModel.WEB_BROWSER)
window = Gtk.Window()
window.set_decorated(False)
window.connect("destroy", Gtk.main_quit)


def create_view(_session):
    """Returns the window's one view; a session may ask for it again."""
    view = window.get_child()
    if view is None:
        settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True, enable_page_cache=True)
        view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
        window.add(view)
        window.show_all()
    return view


def start(_context, session):
    """Says what browser this is: the driver asks for one by name."""
    info = WebKit2.ApplicationInfo()
    info.set_name("MiniBrowser")
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect("create-web-view", create_view)


context.connect("automation-started", start)
Gtk.main()
